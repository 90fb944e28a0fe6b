import type { DeviceClass } from '../../shared/device/device.ts';
import type { PayloadRedirect } from '../../shared/payload/payload.ts';
import type { CacheEntry } from '../cache/entry-store.ts';
import type { ContentReadEvent } from '../content/content-cache.ts';
import { ContentReader } from '../content/content-reader.ts';
import { isMediaTag } from '../content/content-tags.ts';
import type { Encoding } from '../http/accept-encoding.ts';
import type { Fields } from '../http/ready-head.ts';
import type { SiteOrigin } from '../http/request-origin.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { heldTurn, ownTurnIfLate } from '../ops/turns.ts';
import type { GeneratedPage } from '../page-cache/page-cache.ts';
import {
  cachingHeaders,
  cachingUntil,
  NO_STORE_HEADERS,
  NOT_FOUND_HEADERS,
  staleCaching,
} from '../page-cache/page-headers.ts';
import { partitionOf } from '../page-cache/partition.ts';
import { createStoredPage, laterRecord, type StoredPage } from '../page-cache/stored-page.ts';
import type { PageBytes } from '../render/error-pages.ts';
import type { HtmlRequest } from '../render/html-request.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import type { RenderingSite } from '../render/page-html.ts';
import type { Site } from '../site.ts';
import { type NotFoundSite, notFoundPage } from './load-page.ts';
import type { PageMatch, PageRequest } from './page-request.ts';
import { namedFiles, renderBytes } from './render-bytes.ts';
import { type ResolvingSite, resolvePage } from './resolve-page.ts';

/** The parts of the site with which a page is generated and stored. */
export type ProducingSite = ResolvingSite &
  NotFoundSite &
  RenderingSite &
  Pick<
    Site,
    'content' | 'renderQueue' | 'renderTurn' | 'revalidationQueue' | 'errorPages' | 'pages' | 'metrics'
  >;

/** A page to render for the cache, and the visitor's properties that the page depends on. */
export interface RenderRequest {
  /** The key under which the page is stored. */
  key: string;
  request: PageRequest;
  /** The route that matches the request's path. */
  match: PageMatch | null;
  origin: SiteOrigin;
  deviceClass: DeviceClass | null;
  /** The encoding of the stored page at first: the one that the waiting visitor takes. */
  preferredEncoding: Encoding;
  log: Logger;
  onEvent(event: ContentReadEvent): void;
}

/** @returns whether a page of the address may be on the disk. One build has the same routes all the time, so an address without a route has none. */
export const isEverOnDisk = ({ match }: Pick<RenderRequest, 'match'>): boolean => match !== null;

/** The address leads elsewhere: nothing is stored for it. */
export interface Redirected {
  kind: 'moved';
  redirect: PayloadRedirect;
  /** The caching headers of the redirect. */
  caching: Fields;
}

/**
 * Generates a page to be stored, or the page of a 404 or 410, in its place of the queue: resolves the address, loads, renders and compresses.
 *
 * @throws SiteBusyError, and every other error but a 404 or 410.
 */
export function producePage(
  site: ProducingSite,
  renderRequest: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  return site.renderQueue.run(() => generatePage(site, renderRequest, signal), signal);
}

/**
 * Generates a stored page anew, in its place of the queue of revalidations.
 *
 * @throws SiteBusyError, and every other error but a 404 or 410.
 */
export function revalidatePage(
  site: ProducingSite,
  renderRequest: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  return site.revalidationQueue.run(() => generatePage(site, renderRequest, signal), signal);
}

async function generatePage(
  site: ProducingSite,
  renderRequest: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  const { key, request, match, origin, deviceClass, preferredEncoding, log, onEvent } = renderRequest;
  const turn = heldTurn(site.renderTurn);
  // Content in memory is read in the turn in which its page is rendered. The objects of all pages that wait for their turn would outlive V8's young generation.
  await turn();
  signal.throwIfAborted();
  const startedAt = steadyNow();
  const reader = new ContentReader(site.content, { signal, onEvent });
  const resolved = await resolvePage(site, { request, match, reader, origin, log, signal });
  if (resolved.kind === 'redirect')
    return {
      kind: 'moved',
      redirect: resolved.redirect,
      caching: redirectCaching(site, renderRequest, reader),
    };

  const status = resolved.kind === 'page' ? 200 : resolved.error.statusCode === 410 ? 410 : 404;
  const page =
    resolved.kind === 'page' ? resolved.page : notFoundPage(site, { reader, origin, request }, resolved);
  const before = status === 200 ? site.pages.peek(key) : null;
  // All content is read by now.
  const [contentVersion, tags] = [reader.version, reader.tags];
  const isUnchanged = before?.value.contentVersion === contentVersion;
  const { value, files } = isUnchanged
    ? { value: before.value, files: before.tags.filter(isMediaTag) }
    : await renderedPage(page, status);
  const entry: CacheEntry<StoredPage> = {
    value,
    tags: [...tags, ...files],
    about: page.about,
    // An incomplete page is stored as a stale one: visitors get it without a wait, and it is rendered again soon.
    generatedAt: Math.min(
      reader.generatedAt,
      reader.isIncomplete ? startedAt - site.config.contentTtlMs : startedAt,
      latestFor(reader.endsAt, site.config.contentTtlMs),
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
    record: isEverOnDisk(renderRequest) ? laterRecord(site.pages, key) : null,
  };

  /** @returns the rendered page, and the tags of the media files that it names. */
  async function renderedPage(page: LoadedPage, status: StoredPage['status']) {
    const route = match?.route ?? null;
    const isPayload = request.form === 'payload';
    const { body, headers, files: named } = isPayload ? payloadBytes(page) : await html(page, status);
    // In the address of the page's picture a file is not named as elsewhere.
    const files = [...new Set([...named, ...namedFiles(page.share?.picture ?? '')])];
    const readsDevice = !isPayload && (route?.readsDevice ?? false);
    const caching =
      status === 200 && !route?.readsFrom
        ? cachingUntil(
            reader.endsAt,
            cachingHeaders(
              route?.answersQueries ? null : origin,
              [...tags, ...files],
              page.about,
              readsDevice,
              site.config,
            ),
            site.config,
          )
        : status === 200 || isPayload
          ? NO_STORE_HEADERS
          : NOT_FOUND_HEADERS;
    const value = await site.metrics.compressing(() =>
      createStoredPage(
        {
          status: isPayload ? 200 : status,
          route: route?.id ?? null,
          body,
          headers: [...headers, ...caching],
          contentVersion,
          isShortLived: status !== 200,
        },
        preferredEncoding,
        site.pages.commonHeaders,
      ),
    );
    return { value, files };
  }

  async function html(page: LoadedPage, status: StoredPage['status']) {
    const asked = { page, request, origin, deviceClass, hydrate: true };
    const { body, policy, preload, files } =
      status === 200 ? await rendered(asked) : await site.errorPages(asked, rendered);
    const { robots } = page.payload.head;
    const headers = [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Link', preload],
      // With SITE_INDEXING=off every answer has the header already.
      ...(robots === null || status !== 200 || !site.config.siteIndexing
        ? []
        : ([['X-Robots-Tag', robots]] as const)),
      ...(policy === null ? [] : ([['Content-Security-Policy', policy]] as const)),
    ] as const;
    return { body, headers, files };
  }

  async function rendered(asked: HtmlRequest): Promise<PageBytes> {
    await turn();
    // The loader of a page with hundreds of cards may have used up the slice.
    await ownTurnIfLate();
    return site.metrics.rendering(() => renderBytes(site, asked, signal, log));
  }
}

/**
 * @param endsAt when a page changes without an event, in ms since the epoch; null if it never does.
 * @returns the latest time at which the page may count as generated, by the cache's clock, so that its time to live ends by then.
 */
function latestFor(endsAt: number | null, ttlMs: number): number {
  const inMs = endsAt === null ? Number.POSITIVE_INFINITY : endsAt - Date.now();
  // Content learns that the moment has passed when it is loaded again.
  return inMs > 0 ? steadyNow() + inMs - ttlMs : Number.POSITIVE_INFINITY;
}

/**
 * Editors may change a redirect at any time, so browsers have to revalidate even a permanent one. Middleware that reads `from` may redirect
 * one visitor and not the next.
 */
function redirectCaching(
  { config }: Pick<ProducingSite, 'config'>,
  { match, origin }: Pick<RenderRequest, 'match' | 'origin'>,
  reader: ContentReader,
): Fields {
  if (match?.route.readsFrom) return NO_STORE_HEADERS;
  const caching = cachingHeaders(origin, reader.tags, null, false, config);
  return reader.servedStale || reader.isInvalidated ? staleCaching(caching) : caching;
}

function payloadBytes({ payload }: LoadedPage) {
  const json = JSON.stringify(payload);
  const headers = [['Content-Type', 'application/json; charset=utf-8']] as const;
  return { body: Buffer.from(json), headers, files: namedFiles(json) };
}
