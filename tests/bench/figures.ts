/** How long and how large: the whole measurement, or a look at whether it works. */
export interface BenchSizes {
  runs: number;
  seconds: number;
  /** Stored when memory is measured. */
  pages: number;
  /** Numbers of stored pages between which hits per second are compared. */
  growth: readonly number[];
  starts: number;
}

/** One line of the table. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** Null: for information. */
  target: { atLeast: number } | { atMost: number } | null;
  errors: number;
  /** What it was computed from. */
  details: Record<string, unknown>;
}

export type Report = (figure: Figure) => void;
