import { defaultStatusMessage, pageErrorTitle } from '../shared/payload/http-error.ts';
import type { PageError, PagePayload, PayloadAnswer } from '../shared/payload/payload.ts';
import { payloadAddress } from '../shared/routing/payload-address.ts';
import { SITE_NAME } from '../shared/site-constants.ts';

/** A payload that was fetched ahead is taken as it is for this long, in ms; after that it is asked for again, with its ETag. */
const AHEAD_IS_FRESH_MS = 5_000;
/** Payloads fetched ahead that are remembered. */
const MAX_AHEAD = 32;

/** What came of asking for a payload. */
export type PayloadOutcome =
  | { kind: 'answer'; answer: PayloadAnswer }
  /** Not JSON: something between us and the server answers in its place. */
  | { kind: 'foreign' }
  | { kind: 'failed'; error: PageError };

const ahead = new Map<string, { at: number; outcome: Promise<PayloadOutcome> }>();

/**
 * Fetches what a page shows.
 *
 * @returns an outcome; it rejects only when the signal is aborted.
 */
export async function fetchPayload(
  path: string,
  search: string,
  buildId: string,
  signal: AbortSignal,
): Promise<PayloadOutcome> {
  const address = payloadAddress(path, search, buildId);
  const early = ahead.get(address);
  ahead.delete(address);
  if (early && performance.now() - early.at < AHEAD_IS_FRESH_MS) {
    const outcome = await early.outcome.catch(() => null);
    signal.throwIfAborted();
    if (outcome?.kind === 'answer') return outcome;
  }
  return request(address, signal);
}

/** Fetches a payload before it is needed. Rejects when it was not to be had. */
export async function fetchPayloadAhead(
  path: string,
  search: string,
  buildId: string,
  signal: AbortSignal,
): Promise<void> {
  const address = payloadAddress(path, search, buildId);
  const outcome = request(address, signal);
  ahead.set(address, { at: performance.now(), outcome });
  for (const oldest of ahead.keys()) {
    if (ahead.size <= MAX_AHEAD) break;
    ahead.delete(oldest);
  }
  if ((await outcome).kind !== 'answer') throw new Error(`No payload at ${address}`);
}

async function request(address: string, signal: AbortSignal): Promise<PayloadOutcome> {
  let response: Response | undefined;
  let body: unknown;
  try {
    response = await fetch(address, { signal, headers: { Accept: 'application/json' } });
    body = await response.json();
  } catch (error) {
    if (signal.aborted) throw error;
    // Anything but a text that is no JSON is the connection's fault, be it in the middle of the answer.
    if (!response || !(error instanceof SyntaxError)) return { kind: 'failed', error: unreachable() };
  }
  if (isPayload(body)) return { kind: 'answer', answer: body };
  return response.ok ? { kind: 'foreign' } : { kind: 'failed', error: failed(response.status) };
}

function isPayload(body: unknown): body is PayloadAnswer {
  return typeof body === 'object' && body !== null && 'buildId' in body && 'data' in body;
}

function unreachable(): PageError {
  if (!navigator.onLine) {
    return {
      statusCode: 503,
      statusMessage: 'You are offline',
      message: 'This page will be loaded as soon as the connection is back.',
      offline: true,
    };
  }
  return failed(503);
}

function failed(statusCode: number): PageError {
  return {
    statusCode,
    statusMessage: defaultStatusMessage(statusCode),
    message: 'This page cannot be loaded right now. Please try again in a moment.',
  };
}

/** @returns the page that is shown in the place of one that cannot be had: an error inside the layout that was there before. */
export function failedPage(previous: PagePayload, error: PageError = unreachable()): PagePayload {
  const { shell } = previous.data;
  return {
    ...previous,
    route: null,
    params: {},
    data: { shell, page: null },
    head: {
      ...previous.head,
      title: `${pageErrorTitle(error)} – ${shell?.siteName ?? SITE_NAME}`,
      description: null,
      canonicalPath: null,
      image: null,
      noindex: true,
    },
    error,
  };
}
