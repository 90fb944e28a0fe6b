import type { ReactNode } from 'react';
import type { BlockData } from '../../../shared/content/landing.ts';
import type { header } from './header.block.ts';
import type { HeaderKind } from './kinds.ts';
import type { CorridorMapData } from './map/corridor-map.tsx';
import type { TicketMapData } from './ticket/ticket-map.tsx';

export interface HeaderData extends BlockData<typeof header> {
  kind: HeaderKind;
  /** The heading of the page. */
  title: string;
  /** Null for kinds that show no map. */
  map: CorridorMapData | null;
  /** Null for other kinds. */
  ticketMap: TicketMapData | null;
  /** The picture of a film before it plays; null for other kinds. */
  poster: { poster: string; width?: number; height?: number } | null;
}

export interface HeaderViewProps {
  data: HeaderData;
  /** The heading of the page, the text, the buttons and the icons. */
  texts: ReactNode;
}
