import { NamedError } from '../../ops/named-error.ts';
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
