import type { RequestListener } from 'node:http';

export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  isCall?: boolean;
  /** The key under which the span is remembered for `follows`. */
  notes?: string;
  /** The key of an earlier span. The work gets a new trace, which links to that span if it is known. */
  follows?: string;
}

/** Spans for the work behind answers. Cache hits have none. */
export interface Tracing {
  /** Wraps the application. Its requests get a span, and a trace id in their scope and log entries. */
  requests(app: RequestListener): RequestListener;
  /** Runs work in a span, below that of the work around it. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>, options?: SpanOptions): Promise<T>;
  /** Adds a span for work that took some ms and has just ended. */
  ended(name: string, attributes: Attributes, ms: number): void;
  /** The headers that hand the current trace to a server called now (W3C Trace Context). */
  headers(): Record<string, string>;
  /** Sends the waiting spans, within a time limit. */
  stop(): Promise<void>;
}
