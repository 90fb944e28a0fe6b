import type { JsonRecord } from './content-types.ts';

const NAMES: Readonly<Record<number, readonly [name: string, message: string]>> = {
  400: ['BadRequestError', 'Bad Request'],
  403: ['ForbiddenError', 'Forbidden'],
  404: ['NotFoundError', 'Not Found'],
  405: ['MethodNotAllowedError', 'Method Not Allowed'],
  413: ['PayloadTooLargeError', 'Payload too large'],
  415: ['UnsupportedMediaTypeError', 'Unsupported Media Type'],
};

export class StrapiError extends Error {
  readonly status: number;
  override readonly name: string;
  readonly details: JsonRecord;

  constructor(status: number, name: string, message: string, details: JsonRecord = {}) {
    super(message);
    this.status = status;
    this.name = name;
    this.details = details;
  }

  static ofStatus(status: number, message?: string): StrapiError {
    const [name, text] = NAMES[status] ?? [`HttpError${status}`, 'Error'];
    return new StrapiError(status, name, message ?? text);
  }

  static invalidKey(key: string, path: string | null, param: string): StrapiError {
    const details = { key, path, source: 'query', param };
    return new StrapiError(400, 'ValidationError', `Invalid key ${key}`, details);
  }
}

/** @returns the body. It hides the details of an unexpected failure. */
export function errorBody(error: unknown): { status: number; body: JsonRecord } {
  if (error instanceof StrapiError) {
    const { status, name, message, details } = error;
    return { status, body: { data: null, error: { status, name, message, details } } };
  }
  const unexpected = { status: 500, name: 'InternalServerError', message: 'Internal Server Error' };
  return { status: 500, body: { data: null, error: unexpected } };
}
