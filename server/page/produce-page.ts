import type { DeviceClass } from '../../shared/device/device.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { PayloadRedirect } from '../../shared/payload/payload.ts';
import type { CacheEvent } from '../content/content-cache.ts';
import { ContentReader } from '../content/content-reader.ts';
import { toPageError } from '../errors.ts';
import type { Encoding } from '../http/accept-encoding.ts';
import type { Logger } from '../ops/log.ts';
import type { Elsewhere, Produced } from '../page-cache/page-cache.ts';
import { cachingHeaders, MISSING_HEADERS } from '../page-cache/page-headers.ts';
import { shelfOf } from '../page-cache/storable.ts';
import { makeStoredPage, type StoredPage } from '../page-cache/stored-page.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import { collectPage, renderHtml } from '../render/page-html.ts';
import type { Site } from '../site.ts';
import { errorPage } from './load-page.ts';
import type { PageJob, PageRequest } from './page-job.ts';
import { resolvePage } from './resolve-page.ts';

/** What is to be made. */
export interface PageOrder {
  /** Under which it is stored. */
  key: string;
  request: PageRequest;
  origin: string;
  deviceClass: DeviceClass | null;
  /** The encoding that its first visitor takes. */
  wanted: Encoding;
  log: Logger;
  onEvent(event: CacheEvent): void;
}

/** What a page shows, by the keys of the content: as long as all of it is the very same, so is the page. */
const madeFrom = new WeakMap<StoredPage, ReadonlyMap<string, object | null>>();

function isSame(
  before: ReadonlyMap<string, object | null> | undefined,
  now: ReadonlyMap<string, object | null>,
): boolean {
  return before?.size === now.size && [...now].every(([key, value]) => before.get(key) === value);
}

/** The address leads elsewhere, and where. */
export interface Redirected extends Elsewhere {
  redirect: PayloadRedirect;
}

/**
 * Makes a page to be stored: resolves the address, loads, renders, compresses. A page that does not exist is made too.
 *
 * @throws whatever is no answer to be kept.
 */
export function producePage(
  site: Site,
  order: PageOrder,
  signal: AbortSignal,
): Promise<Produced | Redirected> {
  return site.renderSlots.run(() => makePage(site, order, signal));
}

async function makePage(site: Site, order: PageOrder, signal: AbortSignal): Promise<Produced | Redirected> {
  const { origin, deviceClass, log, onEvent } = order;
  // Resolving writes into the request: a renewal must not see what an earlier one found.
  const request: PageRequest = { ...order.request, match: null };
  const startedAt = Date.now();
  const reader = new ContentReader(site.content, { signal, onEvent });
  const job: PageJob = { request, reader, origin, log, signal };
  const resolved = await resolveOrMiss(site, job);
  if ('redirect' in resolved) return { shelf: null, redirect: resolved.redirect };

  const { page, status } = resolved;
  const shelf = job.isMakeshift ? null : shelfOf('GET', request, status);
  const age = { madeAt: Math.min(reader.madeAt, startedAt), purged: reader.isPurged };
  const before = status === 200 ? site.pages.find(order.key)?.page : undefined;
  if (before && isSame(madeFrom.get(before), reader.reads)) {
    // Nothing of what it shows has changed: what would be rendered is there.
    const same = { ...before, ...age };
    madeFrom.set(same, reader.reads);
    return { page: same, shelf, hasStandIns: reader.hasStandIns };
  }
  const route = request.match?.route ?? null;
  const { body, headers } =
    request.form === 'payload'
      ? {
          body: Buffer.from(JSON.stringify(page.payload)),
          headers: ['Content-Type', 'application/json; charset=utf-8'],
        }
      : await site.metrics.rendering(() => html());
  const { contentTtlMs, staleIfErrorMs } = site.config;
  const readsDevice = request.form === 'page' && (route?.readsDevice ?? false);
  const tags = reader.tags;
  const stored = await site.metrics.compressing(() =>
    makeStoredPage(
      {
        status: request.form === 'payload' ? 200 : status,
        route: route?.id ?? null,
        body,
        headers: [
          ...headers,
          ...(status === 200
            ? cachingHeaders(tags, page.about, readsDevice, contentTtlMs, staleIfErrorMs)
            : MISSING_HEADERS),
        ],
        tags,
        about: page.about,
        ...age,
      },
      order.wanted,
    ),
  );
  madeFrom.set(stored, reader.reads);
  return { page: stored, shelf, hasStandIns: reader.hasStandIns };

  async function html() {
    const rendered = await renderHtml(
      site,
      { page, request, origin, deviceClass, hydrate: true },
      signal,
      log,
    );
    const policy = rendered.policy === null ? [] : ['Content-Security-Policy', rendered.policy];
    return {
      body: collectPage(rendered),
      headers: ['Content-Type', 'text/html; charset=utf-8', 'Link', rendered.preload, ...policy],
    };
  }
}

type Resolved = { redirect: PayloadRedirect } | { page: LoadedPage; status: 200 | 404 };

async function resolveOrMiss(site: Site, job: PageJob): Promise<Resolved> {
  try {
    const outcome = await resolvePage(site, job);
    return outcome.kind === 'redirect' ? { redirect: outcome.redirect } : { page: outcome.page, status: 200 };
  } catch (error) {
    if (!(error instanceof HttpError) || error.statusCode !== 404) throw error;
    return { page: errorPage(site, job.reader, toPageError(error, ''), job.request.match), status: 404 };
  }
}
