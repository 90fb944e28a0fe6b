import type { DeviceClass } from '../../shared/device/device.ts';
import type { PayloadRedirect } from '../../shared/payload/payload.ts';
import type { CacheEntry } from '../cache/entry-store.ts';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { ContentReader } from '../content/content-reader.ts';
import { isMediaTag, mediaTags } from '../content/content-tags.ts';
import type { Logger } from '../ops/log.ts';
import type { PageEncoding } from '../page-cache/encodings.ts';
import type { GeneratedPage } from '../page-cache/page-cache.ts';
import { cachingHeaders, NO_STORE_HEADERS } from '../page-cache/page-headers.ts';
import { partitionOf } from '../page-cache/partition.ts';
import { createStoredPage, pageRecordOf, type StoredPage } from '../page-cache/stored-page.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import { collectPage, type RenderingSite, renderHtml } from '../render/page-html.ts';
import type { Site } from '../site.ts';
import { notFoundPage } from './load-page.ts';
import type { PageMatch, PageRequest } from './page-request.ts';
import { type ResolvingSite, resolvePage } from './resolve-page.ts';

/** The parts of the site with which a page is generated and stored. */
export type ProducingSite = ResolvingSite &
  RenderingSite &
  Pick<Site, 'content' | 'renderSlots' | 'pages' | 'metrics'>;

/** A page to render for the cache, and the visitor's properties that the page depends on. */
export interface RenderRequest {
  /** The key under which the page is stored. */
  key: string;
  request: PageRequest;
  /** The route that matches the request's path. */
  match: PageMatch | null;
  origin: string;
  deviceClass: DeviceClass | null;
  /** The encoding to compress first: the one that the waiting visitor accepts. */
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
 * Generates a page to be stored, or the page of a 404 or 410: resolves the address, loads, renders and compresses.
 *
 * @throws SiteBusyError, and every other error but a 404 or 410.
 */
export function producePage(
  site: ProducingSite,
  renderRequest: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  return site.renderSlots.run(() => generatePage(site, renderRequest, signal));
}

async function generatePage(
  site: ProducingSite,
  renderRequest: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  const { key, request, match, origin, deviceClass, preferredEncoding, log, onEvent } = renderRequest;
  const startedAt = Date.now();
  const reader = new ContentReader(site.content, { signal, onEvent });
  const resolved = await resolvePage(site, { request, match, reader, origin, log, signal });
  if (resolved.kind === 'redirect') return { kind: 'moved', redirect: resolved.redirect };

  const status = resolved.kind === 'page' ? 200 : resolved.error.statusCode === 410 ? 410 : 404;
  const page = resolved.kind === 'page' ? resolved.page : notFoundPage(site, reader, resolved);
  const before = status === 200 ? site.pages.peek(key) : null;
  const isUnchanged = before?.value.contentVersion === reader.version;
  const { value, files } = isUnchanged
    ? { value: before.value, files: before.tags.filter(isMediaTag) }
    : await renderedPage(page, status);
  const entry: CacheEntry<StoredPage> = {
    value,
    tags: [...reader.tags, ...files],
    about: page.about,
    // An incomplete page is stored as a stale one: visitors get it without a wait, and it is rendered again soon.
    generatedAt: Math.min(
      reader.generatedAt,
      reader.isIncomplete ? startedAt - site.config.contentTtlMs : startedAt,
    ),
    invalidated: reader.isInvalidated,
  };
  const partition = resolved.partial ? null : partitionOf('GET', request, status, match?.route);
  if (partition === null) return { kind: 'partial', entry };
  if (partition === 'positive') site.content.cache.keepAbsences(reader.absences);
  return {
    kind: 'entry',
    entry,
    isNegative: partition === 'negative',
    servedStale: reader.servedStale || reader.isIncomplete,
    // Called when the record is written to the disk. By then the stored page may have its second encoding.
    record() {
      const stored = site.pages.peek(key);
      return pageRecordOf(stored?.value.etag === entry.value.etag ? stored : entry);
    },
  };

  /** @returns the rendered page, and the tags of the media files that it names. */
  async function renderedPage(page: LoadedPage, status: StoredPage['status']) {
    const route = match?.route ?? null;
    const isPayload = request.form === 'payload';
    const { body, headers } = isPayload
      ? {
          body: Buffer.from(JSON.stringify(page.payload)),
          headers: [['Content-Type', 'application/json; charset=utf-8']] as const,
        }
      : await site.metrics.rendering(() => html(page));
    const files = mediaTags(body.toString('latin1'));
    const { contentTtlMs, staleIfErrorMs } = site.config;
    const readsDevice = !isPayload && (route?.readsDevice ?? false);
    const caching =
      status === 200 && !route?.readsFrom
        ? cachingHeaders([...reader.tags, ...files], page.about, readsDevice, contentTtlMs, staleIfErrorMs)
        : NO_STORE_HEADERS;
    const value = await site.metrics.compressing(() =>
      createStoredPage(
        {
          status: isPayload ? 200 : status,
          route: route?.id ?? null,
          body,
          headers: [...headers, ...caching],
          contentVersion: reader.version,
        },
        preferredEncoding,
        site.pages.commonHeaders,
      ),
    );
    return { value, files };
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
