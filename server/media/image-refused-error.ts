/** The reason why a picture is not scaled. The client gets the message. */
export class ImageRefusedError extends Error {
  readonly status: 400 | 403 | 404 | 413 | 415 | 422;
  /** Whether the picture itself is the reason. Else another try may succeed, such as on a machine that is less busy. */
  readonly isLasting: boolean;

  constructor(
    status: ImageRefusedError['status'],
    message: string,
    { isLasting = true, ...options }: { cause?: unknown; isLasting?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'ImageRefusedError';
    this.status = status;
    this.isLasting = isLasting;
  }
}
