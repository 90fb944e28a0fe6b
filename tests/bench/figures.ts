/** The size of a measurement. A quick measurement only shows whether the program works. */
export interface BenchSizes {
  /**
   * Of the stored pages and the floods, only rows with one of these words in their names are measured,
   * divided by commas. Empty: all.
   */
  rows: string;
  runs: number;
  seconds: number;
  /** The number of stored pages while hits of single pages are measured. */
  pages: number;
  /** The numbers of stored pages at which hits per second are measured. */
  growth: readonly number[];
  starts: number;
  /** The number of articles in the backend while a cached page is asked for beside floods. */
  articles: number;
  /** The number of generated hostile texts. */
  texts: number;
  /** The numbers of waiting messages and of stored media while ticks of the event loop are measured. */
  waiting: number;
  media: number;
  /**
   * The content of a large site, and the number of its articles that are stored while its memory is measured.
   */
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
  /** More about the figure, for the table. */
  note?: string;
  /** The values that the figure was computed from. */
  details: Record<string, unknown>;
}

export type Report = (figure: Figure) => void;
