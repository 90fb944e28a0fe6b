import { MANIFEST_PREFETCH_DELAY_MS } from '../../shared/constants.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { type RouteId, routeTable } from '../../shared/routing/routes.ts';
import { isPagePath } from '../../shared/ui/link.tsx';
import { element } from '../element.ts';
import { whenIdle } from '../when-idle.ts';
import { prefetchPayload } from './fetch-payload.ts';

const MAX_AT_ONCE = 4;
/** How long a link must be in view, in ms, so that scrolling past it loads nothing. */
const IN_VIEW_MS = 200;
/** Limit for the payloads prefetched for one page's links in view. Urgent links have no limit. */
const MAX_BYTES = 60_000;
/** The assumed size of a payload in flight, in bytes. */
const USUAL_BYTES = 10_000;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

interface Target {
  path: string;
  search: string;
  route: RouteId;
  controller: AbortController;
  isUrgent: boolean;
}

type RouteChunks = (route: RouteId) => Promise<readonly string[]>;

/** Prefetches the pages behind links, until the last link to a page leaves the document. */
export function startPrefetching(buildId: string, currentRoute: () => string): void {
  const quiet = new Promise<void>(resolve => {
    whenIdle(() => setTimeout(resolve, MANIFEST_PREFETCH_DELAY_MS));
  });
  const queue = new PrefetchQueue(buildId, currentRoute, routeChunks(buildId, quiet));
  const links = new LinksInView(queue);
  for (const event of ['pointerover', 'touchstart', 'focusin']) {
    document.addEventListener(
      event,
      ({ target }) => {
        const link = target instanceof Element ? target.closest('a') : null;
        if (link) queue.add(link, true);
      },
      { passive: true },
    );
  }
  void quiet.then(() => links.watch());
}

/** Loads waiting pages, urgent ones first and each once. */
class PrefetchQueue {
  readonly #buildId: string;
  readonly #currentRoute: () => string;
  readonly #chunks: RouteChunks;
  readonly #done = new Set<string>();
  #waiting = new Map<string, Target>();
  readonly #running = new Map<string, Target>();
  readonly #keys = new WeakMap<HTMLAnchorElement, string>();
  #spent = { path: location.pathname, bytes: 0 };

  constructor(buildId: string, currentRoute: () => string, chunks: RouteChunks) {
    this.#buildId = buildId;
    this.#currentRoute = currentRoute;
    this.#chunks = chunks;
  }

  add(link: HTMLAnchorElement, isUrgent: boolean): void {
    if (!connectionAllows()) return;
    const target = targetOf(link, isUrgent);
    if (!target) return;
    const key = target.path + target.search;
    this.#keys.set(link, key);
    if (this.#done.has(key) || this.#running.has(key) || (this.#waiting.has(key) && !isUrgent)) return;
    if (isUrgent) this.#waiting = new Map([[key, target], ...this.#waiting]);
    this.#waiting.set(key, target);
    this.#next();
  }

  cancel(link: HTMLAnchorElement, others: Iterable<HTMLAnchorElement>): void {
    const key = this.#keys.get(link);
    if (key === undefined || [...others].some(other => this.#keys.get(other) === key)) return;
    this.#waiting.delete(key);
    this.#running.get(key)?.controller.abort();
  }

  #next(): void {
    for (const [key, target] of this.#waiting) {
      if (this.#running.size >= MAX_AT_ONCE) return;
      if (!target.isUrgent && !this.#isAffordable()) continue;
      this.#waiting.delete(key);
      if (isShown(target)) continue;
      this.#running.set(key, target);
      this.#load(target)
        .then(
          () => this.#done.add(key),
          // Forget the failure, so that the next hover or touch retries.
          () => {},
        )
        .finally(() => {
          this.#running.delete(key);
          this.#next();
        });
    }
  }

  #isAffordable(): boolean {
    if (this.#spent.path !== location.pathname) this.#spent = { path: location.pathname, bytes: 0 };
    return this.#spent.bytes + (this.#running.size + 1) * USUAL_BYTES <= MAX_BYTES;
  }

  async #load({ path, search, route, controller: { signal } }: Target): Promise<void> {
    const address = payloadAddress(path, search, this.#buildId);
    const parts = [
      prefetchPayload(address, this.#currentRoute(), signal).then(bytes => {
        this.#spent.bytes += bytes ?? USUAL_BYTES;
      }),
      this.#loadChunks(route, signal),
    ];
    // Wait for both parts, so that the slot stays occupied while either is loading.
    await Promise.allSettled(parts);
    await Promise.all(parts);
  }

  async #loadChunks(route: RouteId, signal: AbortSignal): Promise<void> {
    const addresses = await this.#chunks(route);
    signal.throwIfAborted();
    await Promise.all(addresses.map(preloadModule));
  }
}

/** Queues each link after some time in view, and cancels links that disappear. */
class LinksInView {
  readonly #queue: PrefetchQueue;
  readonly #observed = new Set<HTMLAnchorElement>();
  readonly #timers = new Map<Element, ReturnType<typeof setTimeout>>();
  readonly #observer = new IntersectionObserver(entries => {
    for (const { isIntersecting, target: link } of entries) {
      this.#leave(link);
      if (isIntersecting)
        this.#timers.set(
          link,
          setTimeout(() => this.#queue.add(link as HTMLAnchorElement, false), IN_VIEW_MS),
        );
    }
  });

  constructor(queue: PrefetchQueue) {
    this.#queue = queue;
  }

  watch(): void {
    this.#survey();
    let surveyed = true;
    const root = document.getElementById('root');
    const changes = new MutationObserver(() => {
      if (!surveyed) return;
      surveyed = false;
      whenIdle(() => {
        surveyed = true;
        this.#survey();
      });
    });
    if (root) changes.observe(root, { childList: true, subtree: true });
  }

  #survey(): void {
    for (const link of this.#observed) if (!link.isConnected) this.#forget(link);
    for (const link of document.querySelectorAll<HTMLAnchorElement>('#root a[href]')) {
      if (this.#observed.has(link)) continue;
      this.#observed.add(link);
      this.#observer.observe(link);
    }
  }

  #forget(link: HTMLAnchorElement): void {
    this.#observer.unobserve(link);
    this.#observed.delete(link);
    this.#leave(link);
    this.#queue.cancel(link, this.#observed);
  }

  #leave(link: Element): void {
    clearTimeout(this.#timers.get(link));
    this.#timers.delete(link);
  }
}

/** @returns the page that a link opens in this window; null for another site, a download or this page. */
function targetOf(link: HTMLAnchorElement, isUrgent: boolean): Target | null {
  if (
    link.origin !== location.origin ||
    (link.target && link.target !== '_self') ||
    link.hasAttribute('download')
  )
    return null;
  const route = isPagePath(link.pathname) && matchRoute(routeTable, link.pathname)?.route.id;
  if (!route) return null;
  const controller = new AbortController();
  const target = { path: link.pathname, search: link.search, route, controller, isUrgent };
  return isShown(target) ? null : target;
}

function isShown({ path, search }: Target): boolean {
  return path === location.pathname && search === location.search;
}

function connectionAllows(): boolean {
  const { saveData, effectiveType } = connection();
  return !saveData && !/2g/.test(effectiveType ?? '');
}

function connection(): Connection {
  return 'connection' in navigator ? (navigator.connection as Connection) : {};
}

/** Fetches the manifest when the page is quiet (on `slow-2g`, on demand), and again after a failure. */
function routeChunks(buildId: string, quiet: Promise<void>): RouteChunks {
  let manifest: Promise<Record<string, readonly string[]>> | null = null;
  function fetchManifest() {
    if (manifest) return manifest;
    manifest = requestManifest(buildId);
    manifest.catch(() => {
      setTimeout(() => {
        manifest = null;
      }, MANIFEST_PREFETCH_DELAY_MS);
    });
    return manifest;
  }
  void quiet.then(() => {
    if (connection().effectiveType !== 'slow-2g') void fetchManifest().catch(() => {});
  });
  return async route => {
    await quiet;
    return (await fetchManifest())[route] ?? [];
  };
}

async function requestManifest(buildId: string): Promise<Record<string, readonly string[]>> {
  const response = await fetch(`/builds/meta/${buildId}.json`);
  const { routes } = await response.json();
  // Fail, because a server of another build lacks this build's manifest.
  if (!routes) throw new Error('No build manifest');
  return routes;
}

const preloaded = new Map<string, Promise<void>>();

/** Loads a chunk without running it. Rejects on failure; a later call retries. */
function preloadModule(href: string): Promise<void> {
  const known = preloaded.get(href);
  if (known) return known;
  // Skip chunks of the first page, which the early script has preloaded.
  if (document.head.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const loading = new Promise<void>((resolve, reject) => {
    const link = element('link', { rel: 'modulepreload', href });
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      preloaded.delete(href);
      reject(new Error(`No chunk at ${href}`));
    };
    document.head.append(link);
  });
  preloaded.set(href, loading);
  return loading;
}
