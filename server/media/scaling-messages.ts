import type { RenditionFormat } from '../../shared/content/image.ts';
import type { ImageRefusedError } from './image-refused-error.ts';

/** A picture goes to the scaling process by the name of its file, so that no picture is in the memory of the site. */
export interface PictureFile {
  /** The absolute path of the stored file, whose first `bodyBytes` bytes are the picture. */
  file: string;
  bodyBytes: number;
  /** SHA-256 of the picture in base64url. */
  sha256: string;
}

/** The texts of a card that the site draws for shared links. They may be in any direction. */
export interface ShareCard {
  title: string;
  /** The line above the title, such as the name of a category. */
  label: string | null;
  /** The line below the title, such as the name of an author. */
  author: string | null;
  /** The name of the site beside its mark; null for a card whose title it is. */
  site: string | null;
}

/** A piece of work of the scaling process. */
export type ScaleWork =
  | (PictureFile & {
      kind: 'rendition';
      /** In pixels. */
      width: number;
      format: RenditionFormat;
    })
  /** The picture of a shared link, cut out of a picture. */
  | (PictureFile & { kind: 'share-picture' })
  | { kind: 'share-card'; card: ShareCard };

/** `id`: the job's number. */
export type ScaleOrder = ScaleWork & { id: number };

/** The messages of the scaling process. */
export type ScalingMessage =
  | { kind: 'ready' }
  /** Pictures cannot be scaled on the machine. */
  | { kind: 'unavailable'; reason: string }
  /** The resident memory of the process in bytes, where the site cannot read it. */
  | { kind: 'memory'; bytes: number }
  | { kind: 'scaled'; id: number; bytes: Uint8Array }
  | { kind: 'refused'; id: number; status: ImageRefusedError['status']; message: string; reason: string }
  /** The file cannot be read, or is another one by now. */
  | { kind: 'changed'; id: number; reason: string };
