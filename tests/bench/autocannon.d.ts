/** The part of autocannon that the measurements use. The package has no types. */
declare module 'autocannon' {
  interface Options {
    url: string;
    connections?: number;
    duration?: number;
    headers?: Readonly<Record<string, string>>;
  }
  interface Result {
    latency: { p99: number };
    errors: number;
    timeouts: number;
    statusCodeStats: Readonly<Record<string, { count: number }>>;
    duration: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
