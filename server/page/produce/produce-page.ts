import type { FormState } from '../../../shared/forms/form-state.ts';
import type { PayloadRedirect } from '../../../shared/routing/redirects.ts';
import type { RouteDefinition } from '../../../shared/routing/routes.ts';
import type { CacheEntry } from '../../cache/entry-store.ts';
import type { WorkQueue } from '../../cache/work-queue.ts';
import type { ContentReader, OpenReader } from '../../content/reading/content-reader.ts';
import type { ContentReadEvent } from '../../content/reading/read-values.ts';
import type { ReaderParts } from '../../content/reading/reader-for-request.ts';
import { isMediaTag } from '../../content/tags/media-tags.ts';
import { comingDates } from '../../decode/shown-dates.ts';
import type { Fields } from '../../http/ready-head.ts';
import type { Logger } from '../../ops/log.ts';
import { heldTick, type Tick, tickIfLate } from '../../ops/slices.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { GeneratedPage, PageCache } from '../../page-cache/page-cache.ts';
import {
  cachingHeaders,
  cachingUntil,
  NO_STORE_HEADERS,
  NOT_FOUND_HEADERS,
  staleCaching,
} from '../../page-cache/page-headers.ts';
import {
  createStoredPage,
  laterRecord,
  type PageContents,
  type StoredPage,
  withFields,
} from '../../page-cache/stored-page.ts';
import type { ErrorPages, PageBytes } from '../../render/error-pages.ts';
import type { HtmlRequest, LoadedPage } from '../../render/html-request.ts';
import { namedFiles, type RenderParts, renderBytes } from '../../render/page-html.ts';
import type { PageLookup, RenderRequest } from '../page-request.ts';
import { type NotFoundParts, notFoundPage } from '../resolve/load-page.ts';
import { type ResolveParts, resolvePage } from '../resolve/resolve-page.ts';

export interface ProduceParts extends ResolveParts, NotFoundParts, RenderParts, ReaderParts {
  readonly content: {
    readonly openReader: OpenReader;
    readonly cache: { keepNegatives(negatives: ContentReader['negatives']): void };
  };
  readonly errorPages: ErrorPages;
  readonly pages: PageCache;
  readonly renderQueue: WorkQueue;
  readonly revalidationQueue: WorkQueue;
}

/** Whether a page can be on disk. An address without a route cannot: a build's routes never change. */
export const isEverOnDisk = ({ match }: Pick<PageLookup, 'match'>): boolean => match !== null;

interface Redirected {
  kind: 'moved';
  redirect: PayloadRedirect;
  rows: readonly string[];
  caching: Fields;
}

/** Generates a page, a 404 or a 410 when the queue has a place. @throws SiteBusyError and other errors. */
export function producePage(
  parts: ProduceParts,
  renderRequest: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  return parts.renderQueue.run(() => generatePage(parts, renderRequest, null, signal), signal);
}

/** Generates a stored page again when the queue of revalidations has a place. */
export function revalidatePage(
  parts: ProduceParts,
  renderRequest: RenderRequest,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  const { pages, revalidationQueue } = parts;
  return revalidationQueue.run(
    () => generatePage(parts, renderRequest, pages.peek(renderRequest.key), signal),
    signal,
  );
}

/** Generates a stored page again in the background. Resolves at the end; errors are logged. */
export function revalidateInBackground(
  parts: ProduceParts & { readonly log: Logger },
  lookup: PageLookup,
): Promise<void> {
  const onEvent = (event: ContentReadEvent) => parts.metrics.count('site_content_reads_total', event);
  const logged = { ...lookup, log: parts.log, onEvent };
  return parts.pages.revalidateInBackground(lookup.key, signal => revalidatePage(parts, logged, signal));
}

async function generatePage(
  parts: ProduceParts,
  renderRequest: RenderRequest,
  stored: CacheEntry<StoredPage> | null,
  signal: AbortSignal,
): Promise<GeneratedPage | Redirected> {
  const tick = heldTick(parts.renderTick);
  // Read content in the tick of its render. Otherwise the objects of all waiting pages would outlive V8's
  // young generation.
  await tick();
  signal.throwIfAborted();
  return new PageGeneration(parts, renderRequest, tick, signal).run(stored);
}

class PageGeneration {
  readonly #parts: ProduceParts;
  readonly #asked: RenderRequest;
  readonly #tick: Tick;
  readonly #signal: AbortSignal;
  readonly #startedAt = steadyNow();
  readonly #reader: ContentReader;

  constructor(parts: ProduceParts, asked: RenderRequest, tick: Tick, signal: AbortSignal) {
    this.#parts = parts;
    this.#asked = asked;
    this.#tick = tick;
    this.#signal = signal;
    this.#reader = parts.content.openReader({ signal, onEvent: asked.onEvent });
  }

  async run(stored: CacheEntry<StoredPage> | null): Promise<GeneratedPage | Redirected> {
    const parts = this.#parts;
    const reader = this.#reader;
    const { key, request, match, origin, log } = this.#asked;
    const resolved = await resolvePage(parts, { request, match, reader, origin, log, signal: this.#signal });
    if (resolved.kind === 'redirect') {
      const caching = redirectCaching(parts, this.#asked, reader);
      return { kind: 'moved', redirect: resolved.redirect, rows: resolved.rows ?? [], caching };
    }
    const status = resolved.kind === 'page' ? 200 : resolved.error.statusCode === 410 ? 410 : 404;
    const page =
      resolved.kind === 'page' ? resolved.page : notFoundPage(parts, { reader, origin, request }, resolved);
    const entry = await this.#entryOf(page, status, status === 200 ? stored : null);
    const partition = resolved.partial ? null : partitionOf(request, status, match?.route);
    if (partition === null) return { kind: 'partial', entry };
    if (partition === 'positive') parts.content.cache.keepNegatives(reader.negatives);
    return {
      kind: 'entry',
      entry,
      isNegative: partition === 'negative',
      servedStale: reader.servedStale || reader.isIncomplete,
      record: isEverOnDisk(this.#asked) ? laterRecord(parts.pages, key) : null,
    };
  }

  async #entryOf(
    page: LoadedPage,
    status: StoredPage['status'],
    before: CacheEntry<StoredPage> | null,
  ): Promise<CacheEntry<StoredPage>> {
    const reader = this.#reader;
    const startedAt = this.#startedAt;
    const { contentTtlMs } = this.#parts.config;
    const { version, tags } = reader;
    const { value, files } =
      before?.value.contentVersion === version
        ? this.#reused(before, page, status)
        : await this.#storedPage(page, status, version, tags);
    return {
      value,
      tags: [...tags, ...files],
      about: page.about,
      // Store an incomplete page as stale, so that it is rendered again soon.
      generatedAt: Math.min(
        reader.generatedAt,
        reader.isIncomplete ? startedAt - contentTtlMs : startedAt,
        latestFor(reader.dates.endsAt, contentTtlMs),
      ),
      invalidated: reader.isInvalidated,
      ...comingDates(reader.dates),
    };
  }

  /** Reuses the body. Writes new caching headers if dates limit how long CDNs may keep the page. */
  #reused(before: CacheEntry<StoredPage>, page: LoadedPage, status: StoredPage['status']) {
    const files = before.tags.filter(isMediaTag);
    const hasDates = (before.endsAt ?? this.#reader.dates.endsAt) !== null;
    if (!hasDates) return { value: before.value, files };
    const caching = this.#caching(page, status, [...this.#reader.tags, ...files]);
    return { value: withFields(before.value, caching, this.#parts.pages.commonHeaders), files };
  }

  async #storedPage(
    page: LoadedPage,
    status: StoredPage['status'],
    contentVersion: string,
    tags: readonly string[],
  ) {
    const { request, match, preferredEncoding } = this.#asked;
    const { metrics, pages } = this.#parts;
    const isPayload = request.form === 'payload';
    const rendered = isPayload ? payloadBytes(page) : await this.#html(page, status);
    // Add the file of the share picture, because the page has it only as a rendition.
    const files = [...new Set([...rendered.files, ...namedFiles(page.share?.picture ?? '')])];
    const caching = this.#caching(page, status, [...tags, ...files]);
    const contents: PageContents = {
      status: isPayload ? 200 : status,
      route: match?.route.id ?? null,
      body: rendered.body,
      headers: [...rendered.headers, ...caching],
      contentVersion,
      isShortLived: status !== 200,
    };
    const value = await metrics.timed('site_compress_duration_seconds', () =>
      createStoredPage(contents, preferredEncoding, pages.commonHeaders),
    );
    return { value, files };
  }

  #caching({ about }: LoadedPage, status: StoredPage['status'], tags: readonly string[]): Fields {
    const { request, match, origin } = this.#asked;
    const { config } = this.#parts;
    const isPayload = request.form === 'payload';
    const route = match?.route ?? null;
    if (status !== 200) return isPayload ? NO_STORE_HEADERS : NOT_FOUND_HEADERS;
    if (route?.readsFrom) return NO_STORE_HEADERS;
    const readsDevice = !isPayload && (route?.readsDevice ?? false);
    const storedFor = route?.answersQueries ? null : origin;
    const caching = cachingHeaders(storedFor, tags, about, readsDevice, config);
    return cachingUntil(this.#reader.dates, caching, config);
  }

  async #html(page: LoadedPage, status: StoredPage['status']) {
    const { request, origin, deviceClass } = this.#asked;
    const { errorPages, config } = this.#parts;
    const html = { page, request, origin, deviceClass, hydrate: true };
    const render = (asked: HtmlRequest) => this.#render(asked);
    const { body, policy, preload, files } =
      status === 200 ? await render(html) : await errorPages(html, render);
    const { robots } = page.payload.head;
    const headers: Fields = [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Link', preload],
      // Skip the header if SITE_INDEXING=off adds it to every response.
      ...(robots === null || status !== 200 || !config.siteIndexing
        ? []
        : ([['X-Robots-Tag', robots]] as const)),
      ...(policy === null ? [] : ([['Content-Security-Policy', policy]] as const)),
    ];
    return { body, headers, files };
  }

  async #render(html: HtmlRequest): Promise<PageBytes> {
    await this.#tick();
    // Pause if the loader has used up the slice, as for a page with hundreds of cards.
    await tickIfLate();
    return this.#parts.metrics.timed('site_render_duration_seconds', () =>
      renderBytes(this.#parts, html, this.#signal, this.#asked.log),
    );
  }
}

/**
 * @returns the part of the cache for a response. Null for a visitor's form data, a route whose middleware
 *   reads `from`, and other errors. `status` is the page's, not the payload's.
 */
export function partitionOf(
  { formState }: { formState: FormState | null },
  status: number,
  route: Pick<RouteDefinition, 'readsFrom'> | null = null,
): 'positive' | 'negative' | null {
  if ((formState !== null && formState.status !== 'sent') || route?.readsFrom) return null;
  if (status === 200) return 'positive';
  return status === 404 || status === 410 ? 'negative' : null;
}

/**
 * Makes a page stale at `endsAt`, in ms since the epoch, when its content changes without an event.
 * @returns the latest `generatedAt`, by the cache's clock, with which the page is stale then.
 */
function latestFor(endsAt: number | null, ttlMs: number): number {
  const inMs = endsAt === null ? Number.POSITIVE_INFINITY : endsAt - Date.now();
  // Ignore an `endsAt` that has passed: the next load of the content takes it into account.
  return inMs > 0 ? steadyNow() + inMs - ttlMs : Number.POSITIVE_INFINITY;
}

/** Lets browsers revalidate even permanent redirects, because editors may change them. */
function redirectCaching(
  { config }: Pick<ProduceParts, 'config'>,
  { match, origin }: PageLookup,
  reader: ContentReader,
): Fields {
  if (match?.route.readsFrom) return NO_STORE_HEADERS;
  const caching = cachingUntil(
    reader.dates,
    cachingHeaders(origin, reader.tags, null, false, config),
    config,
  );
  return reader.servedStale || reader.isInvalidated ? staleCaching(caching) : caching;
}

function payloadBytes({ payload }: LoadedPage) {
  const json = JSON.stringify(payload);
  const headers: Fields = [['Content-Type', 'application/json; charset=utf-8']];
  return { body: Buffer.from(json), headers, files: namedFiles(json) };
}
