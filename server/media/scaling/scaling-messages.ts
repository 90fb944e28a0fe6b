import type { RenditionFormat } from '../../../shared/content/image.ts';
import type { ImageRefusedError } from './image-refused-error.ts';

/** A picture goes to the scaling process as a file name: the site holds no picture in memory. */
export interface PictureFile {
  /** The absolute path of the stored file. Its first `bodyBytes` bytes are the picture. */
  file: string;
  bodyBytes: number;
  /** In base64url. */
  sha256: string;
}

/** The texts of a card for shared links. They may be in any direction. */
export interface ShareCard {
  title: string;
  /** Above the title, such as the name of a category. */
  label: string | null;
  /** Below the title, such as the name of an author. */
  author: string | null;
  /** The name of the site beside its mark; null for a card whose title it is. */
  site: string | null;
}

export type ScaleWork =
  | (PictureFile & {
      kind: 'rendition';
      width: number;
      format: RenditionFormat;
    })
  | (PictureFile & { kind: 'share-picture' })
  | { kind: 'share-card'; card: ShareCard };

export type ScaleOrder = ScaleWork & { id: number };

export type ScalingMessage =
  | { kind: 'ready' }
  | { kind: 'unavailable'; reason: string }
  /** Resident memory, where the site cannot read it. */
  | { kind: 'memory'; bytes: number }
  | { kind: 'scaled'; id: number; bytes: Uint8Array }
  | { kind: 'refused'; id: number; status: ImageRefusedError['status']; message: string; reason: string }
  /** The file cannot be read, or is another one now. */
  | { kind: 'changed'; id: number; reason: string };
