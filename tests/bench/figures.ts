/** Size of a measurement. A quick one only shows whether the program works. */
export interface BenchSizes {
  /**
   * Words, divided by commas. Only rows of stored pages and floods with one of them in their name are
   * measured. Empty means all.
   */
  rows: string;
  runs: number;
  seconds: number;
  /** Number of stored pages while hits of single pages are measured. */
  pages: number;
  /** Numbers of stored pages at which hits per second are measured. */
  growth: readonly number[];
  starts: number;
  /** Number of articles in the backend while a cached page is requested beside floods. */
  articles: number;
  /** Number of generated hostile texts. */
  texts: number;
  /** Numbers of waiting messages and of stored media while ticks of the event loop are measured. */
  waiting: number;
  media: number;
  /** Content of a large site, and how many of its articles are stored while memory is measured. */
  content: { articles: number; categories: number; redirects: number; pages: number; tags: number };
  stored: number;
}

/** One line of the table. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** Null for a figure without a target. */
  target: { atLeast: number } | { atMost: number } | null;
  errors: number;
  /** Note on the figure, for the table. */
  note?: string;
  /** Values from which the figure was computed. */
  details: Record<string, unknown>;
}

export type Report = (figure: Figure) => void;
