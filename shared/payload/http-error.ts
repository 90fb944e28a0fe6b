import type { Labels, PageLabels } from '../labels/labels.ts';

/** @returns the title of the error page, one of the two in the specification. */
export function errorTitle(statusCode: number, labels: PageLabels): string {
  return labels.text(statusCode === 404 || statusCode === 410 ? 'pageNotFound' : 'internalError');
}

/** The fields of a `PageError` that decide its title. */
interface TitledError {
  statusCode: number;
  statusMessage: string;
  offline?: true;
}

/** @returns the title of an error in the browser, where a page may also fail because the browser is offline. */
export function pageErrorTitle(
  { statusCode, statusMessage, offline }: TitledError,
  labels: PageLabels,
): string {
  return offline ? statusMessage : errorTitle(statusCode, labels);
}

/** An error for the visitor: the error page shows its message, and the answer has its status. */
export class HttpError extends Error {
  readonly statusCode: number;
  readonly statusMessage: string | undefined;
  /** The message in the language of the page. Without it the page shows the message as it is. */
  readonly say: ((labels: Labels) => string) | undefined;

  /**
   * @param statusCode 500 unless given.
   * @param statusMessage the status in words. Without it the error page shows the standard name (`server/errors.ts`).
   */
  constructor(
    message: string,
    statusCode = 500,
    statusMessage?: string,
    { say, ...options }: ErrorOptions & { say?: (labels: Labels) => string } = {},
  ) {
    super(message, options);
    this.name = 'HttpError';
    this.statusCode = statusCode;
    this.statusMessage = statusMessage;
    this.say = say;
  }

  static notFound(path: string): HttpError {
    return new HttpError(`Page not found: ${path}`, 404, undefined, sayNotFound(path));
  }

  /** The error of an address that is gone for good: that of a 404 with another status. */
  static gone(path: string): HttpError {
    return new HttpError(HttpError.notFound(path).message, 410, undefined, sayNotFound(path));
  }
}

function sayNotFound(path: string) {
  return { say: (labels: Labels) => labels.text('notFound', { path }) };
}

/** Route middleware has aborted a navigation. A first load gets a 404. A browser that shows a page stays on that page. */
export class NavigationAbortedError extends HttpError {
  constructor(path: string) {
    super(HttpError.notFound(path).message, 404, undefined, sayNotFound(path));
    this.name = 'NavigationAbortedError';
  }
}
