/** The part of autocannon that the measurements use. */
declare module 'autocannon' {
  interface Request {
    method?: string;
    path?: string;
    headers?: Readonly<Record<string, string>>;
  }
  interface Client {
    setRequests(requests: readonly Request[]): void;
  }
  interface Options {
    url: string;
    connections?: number;
    duration?: number;
    amount?: number;
    overallRate?: number;
    headers?: Readonly<Record<string, string>>;
    requests?: readonly Request[];
    setupClient?: (client: Client) => void;
  }
  interface Result {
    requests: { average: number; total: number };
    latency: { p50: number; p97_5: number; p99: number; max: number };
    errors: number;
    timeouts: number;
    non2xx: number;
    statusCodeStats: Readonly<Record<string, { count: number }>>;
    duration: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
