import type { RenditionFormat } from '../../../shared/content/image.ts';
import { NamedError } from '../../ops/named-error.ts';

/** A picture for the scaling process. It names a file, so that the site holds no picture in memory. */
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
  /** The site's name beside its mark; null for a card with the name as its title. */
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
  /** `logo` and `drawing` are results of the kinds of work with these names. */
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

/** The reason for not scaling a picture. The client gets the message. */
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
