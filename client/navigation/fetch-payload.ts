import type { PageLabels } from '../../shared/labels/labels.ts';
import { type PageError, pageErrorTitle } from '../../shared/payload/http-error.ts';
import { titleOnSite } from '../../shared/payload/page-title.ts';
import type { PagePayload, PayloadAnswer } from '../../shared/payload/payload.ts';
import { FROM_HEADER } from '../../shared/routing/payload-address.ts';

/** How long a prefetched payload is used without a request, in ms. */
const PREFETCHED_FRESH_MS = 5_000;
const MAX_PREFETCHED = 32;

export interface LoadFailure {
  statusCode: number;
  statusMessage: string;
  label: 'offlineNote' | 'pageFailed' | 'foreignAnswer' | 'redirectLoop';
}

export type PayloadOutcome =
  | { kind: 'answer'; answer: PayloadAnswer }
  /** A response of a proxy or log-in page, not of the site. */
  | { kind: 'foreign' }
  | { kind: 'failed'; failure: LoadFailure };

const prefetched = new Map<string, { at: number; outcome: Promise<PayloadOutcome> }>();

/** Rejects only on abort. @param from the route on screen. */
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

/** Rejects if the server gives no payload. @returns the transferred size in bytes; null if unknown. */
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
    // A SyntaxError means a body other than JSON. Other errors are the connection's.
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
