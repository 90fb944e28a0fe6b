import type { ReactNode } from 'react';
import type { BlockData } from '../../../shared/content/landing.ts';
import type { HeaderKind, header } from './header.block.ts';

/** The map as path data in a view box of `width` by `height`. */
export interface CorridorMapData {
  width: number;
  height: number;
  spacing: number;
  dots: string;
  corridors: readonly string[];
  places: string;
  placeCount: number;
}

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

export interface HeaderData extends BlockData<typeof header> {
  kind: HeaderKind;
  title: string;
  map: CorridorMapData | null;
  /** Null for other kinds. */
  ticketMap: TicketMapData | null;
  /** The picture of a video before it plays; null for other kinds. */
  poster: { poster: string; width?: number; height?: number } | null;
}

export interface HeaderViewProps {
  data: HeaderData;
  /** The heading of the page, the text, the buttons and the icons. */
  texts: ReactNode;
}
