import type { ContentLink } from '../content/links.ts';
import type { Labels, PageLabels } from '../labels/labels.ts';

/** An error for the visitor. An unexpected error reveals neither its message nor a stack. */
export interface PageError {
  statusCode: number;
  statusMessage: string;
  message: string;
  /** The request id for the log, on unexpected errors only. */
  requestId?: string;
  /** Set if route middleware has aborted the navigation. A browser stays on its page. */
  aborted?: true;
  offline?: true;
  suggestions?: readonly ContentLink[];
}

export function errorTitle(statusCode: number, labels: PageLabels): string {
  return labels.text(statusCode === 404 || statusCode === 410 ? 'pageNotFound' : 'internalError');
}

/** @returns the title in the browser, where a page may also fail offline. */
export function pageErrorTitle(
  { statusCode, statusMessage, offline }: Pick<PageError, 'statusCode' | 'statusMessage' | 'offline'>,
  labels: PageLabels,
): string {
  return offline ? statusMessage : errorTitle(statusCode, labels);
}

export class HttpError extends Error {
  readonly statusCode: number;
  readonly statusMessage: string | undefined;
  /** Returns the message in the language of the page; by default `message`. */
  readonly say: ((labels: Labels) => string) | undefined;

  /** @param statusMessage the status in words; by default the standard name (`server/errors.ts`). */
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

  static gone(path: string): HttpError {
    return new HttpError(HttpError.notFound(path).message, 410, undefined, sayNotFound(path));
  }
}

function sayNotFound(path: string) {
  return { say: (labels: Labels) => labels.text('notFound', { path }) };
}

/** Route middleware has aborted a navigation. A first load gets a 404; a browser stays on its page. */
export class NavigationAbortedError extends HttpError {
  constructor(path: string) {
    super(HttpError.notFound(path).message, 404, undefined, sayNotFound(path));
    this.name = 'NavigationAbortedError';
  }
}
