/** Size of a measurement. A quick one only shows whether the program works. */
export interface BenchSizes {
  /**
   * Words, divided by commas. Of stored pages and floods, only rows with one of the words in their name are
   * measured. Empty means all.
   */
  rows: string;
  runs: number;
  seconds: number;
  /** Number of stored pages for the measurement of single pages. */
  pages: number;
  /** Numbers of stored pages at which hits per second are measured. */
  growth: readonly number[];
  starts: number;
  /** Number of articles in the backend for the measurement of floods. */
  articles: number;
  /** Number of generated hostile texts. */
  texts: number;
  /** Numbers of waiting messages, and of stored media, for the measurement of event-loop ticks. */
  waiting: number;
  media: number;
  /** Content of a large site, and the number of its stored articles, for the measurement of memory. */
  content: { articles: number; categories: number; redirects: number; pages: number; tags: number };
  stored: number;
  /** Number of articles of a static export. */
  exported: number;
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
