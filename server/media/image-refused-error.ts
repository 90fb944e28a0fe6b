/** The reason why a picture is not scaled. The client gets the message. */
export class ImageRefusedError extends Error {
  readonly status: 400 | 403 | 404 | 413 | 415 | 422;

  constructor(status: ImageRefusedError['status'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ImageRefusedError';
    this.status = status;
  }
}
