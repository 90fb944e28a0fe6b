export interface CorridorData {
  readonly line: string;
  readonly ends: string;
}

/** The map as path data in a view box of `width` by `height`. */
export interface TicketMapData {
  readonly width: number;
  readonly height: number;
  readonly spacing: number;
  readonly dots: string;
  /** The corridor of each ticket; null if the map lacks one of its countries. */
  readonly tickets: readonly (CorridorData | null)[];
  readonly others: readonly string[];
  readonly names: readonly { readonly name: string; readonly x: number; readonly y: number }[];
}
