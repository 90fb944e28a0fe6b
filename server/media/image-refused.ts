/** A rendition that is not made, and why: its message is written for whoever asked. */
export class ImageRefused extends Error {
  readonly status: 400 | 403 | 404 | 413 | 415 | 422;

  constructor(status: ImageRefused['status'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ImageRefused';
    this.status = status;
  }
}
