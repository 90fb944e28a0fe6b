import type { PageLabels } from '../shared/labels/labels.ts';
import { pageErrorTitle } from '../shared/payload/http-error.ts';
import { titleOnSite } from '../shared/payload/page-title.ts';
import type { PageError, PagePayload, PayloadAnswer } from '../shared/payload/payload.ts';
import { FROM_HEADER } from '../shared/routing/payload-address.ts';

/** A prefetched payload is used without a request for this long, in ms. After that it is requested again, with its ETag. */
const PREFETCHED_FRESH_MS = 5_000;
/** The number of prefetched payloads that are kept. */
const MAX_PREFETCHED = 32;

/** Why the browser has no page to show. */
export interface LoadFailure {
  statusCode: number;
  /** The status in words. */
  statusMessage: string;
  /** The sentence for the visitor. */
  label: 'offlineNote' | 'pageFailed' | 'foreignAnswer' | 'redirectLoop';
}

/** The result of a request for a payload. */
export type PayloadOutcome =
  | { kind: 'answer'; answer: PayloadAnswer }
  /** Not a payload: a proxy or a network's log-in page answered instead of the site. */
  | { kind: 'foreign' }
  | { kind: 'failed'; failure: LoadFailure };

/** By the id of the route on screen and the address. */
const prefetched = new Map<string, { at: number; outcome: Promise<PayloadOutcome> }>();

/**
 * Fetches a page's payload, or uses a fresh one that was prefetched.
 *
 * @param from the id of the route on screen, on which the answer may depend.
 * @returns the outcome. The promise rejects only when the signal is aborted.
 */
export async function fetchPayload(
  address: string,
  from: string,
  signal: AbortSignal,
): Promise<PayloadOutcome> {
  const key = from + address;
  const early = prefetched.get(key);
  prefetched.delete(key);
  if (early && performance.now() - early.at < PREFETCHED_FRESH_MS) {
    const outcome = await early.outcome.catch(() => null);
    signal.throwIfAborted();
    if (outcome?.kind === 'answer') return outcome;
  }
  return request(address, from, signal);
}

/**
 * Fetches a payload before it is needed. The promise rejects when the server gave no payload.
 *
 * @returns the bytes of its body on the wire, or null where the server does not say.
 */
export async function prefetchPayload(
  address: string,
  from: string,
  signal: AbortSignal,
): Promise<number | null> {
  let bytes: number | null = null;
  const outcome = request(address, from, signal, ({ headers }) => {
    bytes = Number(headers.get('content-length')) || null;
  });
  prefetched.set(from + address, { at: performance.now(), outcome });
  const [oldest = ''] = prefetched.keys();
  if (prefetched.size > MAX_PREFETCHED) prefetched.delete(oldest);
  if ((await outcome).kind !== 'answer') throw new Error(`No payload at ${address}`);
  return bytes;
}

async function request(
  address: string,
  from: string,
  signal: AbortSignal,
  onAnswer: (response: Response) => void = () => {},
): Promise<PayloadOutcome> {
  let response: Response | undefined;
  let body: unknown;
  try {
    response = await fetch(address, { signal, headers: { Accept: 'application/json', [FROM_HEADER]: from } });
    onAnswer(response);
    body = await response.json();
  } catch (error) {
    if (signal.aborted) throw error;
    // A SyntaxError means that the body is not JSON. Any other error is the connection's, even in the middle of the body.
    if (!response || !(error instanceof SyntaxError)) return { kind: 'failed', failure: unreachable() };
  }
  if (isPayload(body)) return { kind: 'answer', answer: body };
  return response.ok
    ? { kind: 'foreign' }
    : { kind: 'failed', failure: failed(response.status, response.statusText) };
}

function isPayload(body: unknown): body is PayloadAnswer {
  return typeof body === 'object' && body !== null && 'buildId' in body && 'data' in body;
}

function unreachable(): LoadFailure {
  if (!navigator.onLine) return { statusCode: 503, statusMessage: '', label: 'offlineNote' };
  return failed(503, 'Service Unavailable');
}

function failed(statusCode: number, statusMessage: string): LoadFailure {
  return { statusCode, statusMessage, label: 'pageFailed' };
}

/** @returns a payload that shows the failure inside the previous page's layout. */
export function failedPage(
  previous: PagePayload,
  labels: PageLabels,
  { statusCode, statusMessage, label }: LoadFailure = unreachable(),
): PagePayload {
  const { shell } = previous.data;
  const isOffline = label === 'offlineNote';
  const error: PageError = {
    statusCode,
    statusMessage: isOffline ? labels.text('offline') : statusMessage,
    message: labels.text(label),
    ...(isOffline ? { offline: true } : {}),
  };
  return {
    ...previous,
    route: null,
    params: {},
    data: { shell, page: null },
    head: {
      ...previous.head,
      title: titleOnSite(pageErrorTitle(error, labels), shell?.siteName ?? location.host),
      description: null,
      canonical: null,
      robots: 'noindex',
    },
    error,
  };
}
