import type { DeviceClass } from '../../shared/device/device.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { PayloadRedirect } from '../../shared/payload/payload.ts';
import type { CacheEntry } from '../cache/entry-store.ts';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { ContentReader } from '../content/content-reader.ts';
import { toPageError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import type { PageEncoding } from '../page-cache/encodings.ts';
import type { GeneratedPage } from '../page-cache/page-cache.ts';
import { cachingHeaders, MISSING_HEADERS } from '../page-cache/page-headers.ts';
import { partitionOf } from '../page-cache/partition.ts';
import { makeStoredPage, pageRecordOf, type StoredPage } from '../page-cache/stored-page.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import { collectPage, renderHtml } from '../render/page-html.ts';
import type { Site } from '../site.ts';
import { errorPage } from './load-page.ts';
import type { PageJob, PageRequest } from './page-job.ts';
import { resolvePage } from './resolve-page.ts';

/** The page to render, and for whom. */
export interface RenderRequest {
  /** The key under which it is stored. */
  key: string;
  request: PageRequest;
  origin: string;
  deviceClass: DeviceClass | null;
  /** The encoding that the waiting visitor takes. */
  preferredEncoding: PageEncoding;
  log: Logger;
  onEvent(event: ContentReadEvent): void;
}

/** The address leads elsewhere: nothing is stored for it. */
export interface Redirected {
  kind: 'moved';
  redirect: PayloadRedirect;
}

/**
 * Generates a page to be stored: resolves the address, loads, renders, compresses. A page that does not exist is generated, too.
 *
 * @throws SiteBusyError, and every error that must not be stored.
 */
export function producePage(
  site: Site,
  order: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  return site.renderSlots.run(() => makePage(site, order, signal));
}

async function makePage(
  site: Site,
  order: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  const { origin, deviceClass, log, onEvent } = order;
  // Resolving writes into the request: a renewal must not see what an earlier one found.
  const request: PageRequest = { ...order.request, match: null };
  const startedAt = Date.now();
  const reader = new ContentReader(site.content, { signal, onEvent });
  const job: PageJob = { request, reader, origin, log, signal };
  const resolved = await resolveOrMiss(site, job);
  if ('redirect' in resolved) return { kind: 'moved', redirect: resolved.redirect };

  const { page, status } = resolved;
  const before = status === 200 ? site.pages.peek(order.key)?.value : undefined;
  const isUnchanged = before !== undefined && before.contentVersion === reader.version;
  const entry: CacheEntry<StoredPage> = {
    value: isUnchanged ? before : await renderedPage(page, status),
    tags: reader.tags,
    about: page.about,
    generatedAt: Math.min(reader.generatedAt, startedAt),
    invalidated: reader.isInvalidated,
  };
  const partition = job.isMakeshift ? null : partitionOf('GET', request, status);
  if (partition === null) return { kind: 'partial', entry };
  return {
    kind: 'entry',
    entry,
    isNegative: partition === 'negative',
    servedStale: reader.servedStale,
    // By the time it is written the second encoding may be there.
    record: () => pageRecordOf(site.pages.peek(order.key) ?? entry),
  };

  async function renderedPage(page: LoadedPage, status: 200 | 404): Promise<StoredPage> {
    const route = request.match?.route ?? null;
    const isPayload = request.form === 'payload';
    const { body, headers } = isPayload
      ? {
          body: Buffer.from(JSON.stringify(page.payload)),
          headers: [['Content-Type', 'application/json; charset=utf-8']] as const,
        }
      : await site.metrics.rendering(() => html(page));
    const { contentTtlMs, staleIfErrorMs } = site.config;
    const readsDevice = !isPayload && (route?.readsDevice ?? false);
    const caching =
      status === 200
        ? cachingHeaders(reader.tags, page.about, readsDevice, contentTtlMs, staleIfErrorMs)
        : MISSING_HEADERS;
    return site.metrics.compressing(() =>
      makeStoredPage(
        {
          status: isPayload ? 200 : status,
          route: route?.id ?? null,
          body,
          headers: [...headers, ...caching],
          contentVersion: reader.version,
        },
        order.preferredEncoding,
        site.pages.commonHeaders,
      ),
    );
  }

  async function html(page: LoadedPage) {
    const rendered = await renderHtml(
      site,
      { page, request, origin, deviceClass, hydrate: true },
      signal,
      log,
    );
    const policy = rendered.policy === null ? [] : ([['Content-Security-Policy', rendered.policy]] as const);
    const headers = [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Link', rendered.preload],
      ...policy,
    ] as const;
    return { body: collectPage(rendered), headers };
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
