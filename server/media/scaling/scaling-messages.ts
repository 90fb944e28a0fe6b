import type { RenditionFormat } from '../../../shared/content/image.ts';
import { NamedError } from '../../ops/named-error.ts';

/** A picture for the scaling process, passed as a file name, so that the site does not load the picture. */
export interface PictureFile {
  /** The absolute path of the stored file. Its first `bodyBytes` bytes are the picture. */
  file: string;
  bodyBytes: number;
  /** The digest in base64url. */
  sha256: string;
}

export interface ShareCard {
  title: string;
  label: string | null;
  author: string | null;
  /** The site's name, shown beside its mark; null for a card whose title is that name. */
  site: string | null;
  logo: string | null;
  drawing: string | null;
}

export interface CardPictures {
  logo?: Uint8Array | null;
  drawing?: Uint8Array | null;
}

export type ScaleWork =
  | (PictureFile & {
      kind: 'rendition';
      width: number;
      format: RenditionFormat;
    })
  | (PictureFile & { kind: 'share-picture'; focus: string | null })
  | (PictureFile & { kind: keyof CardPictures })
  /** `logo` and `drawing` are pictures made by earlier work of the kinds `logo` and `drawing`. */
  | ({ kind: 'share-card'; card: ShareCard } & CardPictures);

export type ScaleOrder = ScaleWork & { id: number };

export type ScalingMessage =
  | { kind: 'ready' }
  | { kind: 'unavailable'; reason: string }
  /** The resident memory, for systems where the site cannot read it. */
  | { kind: 'memory'; bytes: number }
  | { kind: 'scaled'; id: number; bytes: Uint8Array }
  | { kind: 'refused'; id: number; status: ImageRefusedError['status']; message: string; reason: string }
  /** The file is unreadable or was replaced. */
  | { kind: 'changed'; id: number; reason: string };

/** Why a picture cannot be scaled, or a card not drawn. The message is sent to the client. */
export class ImageRefusedError extends NamedError {
  readonly status: 400 | 403 | 404 | 413 | 415 | 422;
  /** Whether the picture itself is at fault. Otherwise a later try may succeed. */
  readonly isLasting: boolean;
  /** The title of a card that cannot be drawn; null for a picture. */
  readonly title: string | null;

  constructor(
    status: ImageRefusedError['status'],
    message: string,
    {
      isLasting = true,
      title = null,
      ...options
    }: { cause?: unknown; isLasting?: boolean; title?: string | null } = {},
  ) {
    super(message, options);
    this.status = status;
    this.isLasting = isLasting;
    this.title = title;
  }
}
