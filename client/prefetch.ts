import { MANIFEST_PREFETCH_DELAY_MS } from '../shared/constants.ts';
import { matchRoute } from '../shared/routing/match-route.ts';
import { payloadAddress } from '../shared/routing/payload-address.ts';
import { type RouteId, routeTable } from '../shared/routing/routes.ts';
import { isPagePath } from '../shared/ui/link.tsx';
import { prefetchPayload } from './fetch-payload.ts';
import { whenIdle } from './when-idle.ts';

/** The number of prefetches in flight at a time. */
const MAX_AT_ONCE = 4;
/** How long a link must be in view, in ms. A visitor who scrolls past it does not mean to follow it. */
const IN_VIEW_MS = 200;
/** Most bytes of payloads that are prefetched for links in view of one page. A link under the pointer, the finger or the focus is always prefetched. */
const MAX_BYTES = 60_000;
/** The size of a payload that has not arrived yet, in bytes. Most are smaller. */
const USUAL_BYTES = 10_000;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** A page that a link leads to. */
interface Target {
  path: string;
  search: string;
  route: RouteId;
  controller: AbortController;
  /** Whether the link is under the pointer, the finger or the focus. */
  isUrgent: boolean;
}

/**
 * Prefetches the pages that links lead to. A link that has been in view for 200 ms, or is hovered, touched or focused, loads the chunks
 * and the payload of its page. At most four pages load at once, and each page once. A prefetch is cancelled when the last
 * link to its page leaves the document.
 *
 * @param currentRoute gives the id of the route on screen.
 */
export function startPrefetching(buildId: string, currentRoute: () => string): void {
  const done = new Set<string>();
  let waiting = new Map<string, Target>();
  const running = new Map<string, Target>();
  const targets = new WeakMap<HTMLAnchorElement, string>();
  const observed = new Set<HTMLAnchorElement>();
  /** Timers of the links in view. */
  const inView = new Map<Element, ReturnType<typeof setTimeout>>();
  /** Bytes of the payloads that were prefetched on the page at this path. */
  const spent = { path: location.pathname, bytes: 0 };
  const quiet = new Promise<void>(resolve => {
    whenIdle(() => setTimeout(resolve, MANIFEST_PREFETCH_DELAY_MS));
  });
  const chunks = routeChunks(buildId, quiet);

  function enqueue(link: HTMLAnchorElement, isUrgent = false): void {
    if (!connectionAllows()) return;
    const target = targetOf(link);
    if (!target) return;
    const key = target.path + target.search;
    targets.set(link, key);
    if (done.has(key) || running.has(key) || (waiting.has(key) && !isUrgent)) return;
    target.isUrgent = isUrgent;
    // A hovered, touched or focused link goes before links that are only visible.
    if (isUrgent) waiting = new Map([[key, target], ...waiting]);
    waiting.set(key, target);
    next();
  }

  /** @returns whether another payload may be prefetched for a link in view. Those in flight count with their usual size. */
  function isAffordable(): boolean {
    if (spent.path !== location.pathname) Object.assign(spent, { path: location.pathname, bytes: 0 });
    return spent.bytes + (running.size + 1) * USUAL_BYTES <= MAX_BYTES;
  }

  function next(): void {
    for (const [key, target] of waiting) {
      if (running.size >= MAX_AT_ONCE) return;
      if (!target.isUrgent && !isAffordable()) continue;
      waiting.delete(key);
      if (isShown(target)) continue;
      running.set(key, target);
      load(target)
        .then(
          () => done.add(key),
          // A failed prefetch is not marked as done: the next hover or touch tries again.
          () => {},
        )
        .finally(() => {
          running.delete(key);
          next();
        });
    }
  }

  async function load({ path, search, route, controller: { signal } }: Target): Promise<void> {
    const parts = [
      prefetchPayload(payloadAddress(path, search, buildId), currentRoute(), signal).then(bytes => {
        spent.bytes += bytes ?? USUAL_BYTES;
      }),
      loadChunks(route, signal),
    ];
    // Wait for both parts, so that the slot stays occupied while one of them is still loading.
    await Promise.allSettled(parts);
    await Promise.all(parts);
  }

  async function loadChunks(route: RouteId, signal: AbortSignal): Promise<void> {
    const addresses = await chunks(route);
    signal.throwIfAborted();
    await Promise.all(addresses.map(preloadModule));
  }

  function forget(link: HTMLAnchorElement): void {
    observer.unobserve(link);
    observed.delete(link);
    leaveView(link);
    const key = targets.get(link);
    if (key === undefined || [...observed].some(other => targets.get(other) === key)) return;
    waiting.delete(key);
    running.get(key)?.controller.abort();
  }

  function leaveView(link: Element): void {
    clearTimeout(inView.get(link));
    inView.delete(link);
  }

  const observer = new IntersectionObserver(entries => {
    for (const { isIntersecting, target: link } of entries) {
      leaveView(link);
      if (isIntersecting)
        inView.set(
          link,
          setTimeout(() => enqueue(link as HTMLAnchorElement), IN_VIEW_MS),
        );
    }
  });

  /** Observes new links and forgets those that have left the document. */
  function survey(): void {
    for (const link of observed) if (!link.isConnected) forget(link);
    for (const link of document.querySelectorAll<HTMLAnchorElement>('#root a[href]')) {
      if (observed.has(link)) continue;
      observed.add(link);
      observer.observe(link);
    }
  }

  for (const event of ['pointerover', 'touchstart', 'focusin']) {
    document.addEventListener(
      event,
      ({ target }) => {
        const link = target instanceof Element ? target.closest('a') : null;
        if (link) enqueue(link, true);
      },
      { passive: true },
    );
  }

  void quiet.then(() => {
    survey();
    let surveyed = true;
    const root = document.getElementById('root');
    const links = new MutationObserver(() => {
      if (!surveyed) return;
      surveyed = false;
      whenIdle(() => {
        surveyed = true;
        survey();
      });
    });
    if (root) links.observe(root, { childList: true, subtree: true });
  });
}

/** @returns the page that the link opens in this window, or null for another site, a download or the page on screen. */
function targetOf(link: HTMLAnchorElement): Target | null {
  if (
    link.origin !== location.origin ||
    (link.target && link.target !== '_self') ||
    link.hasAttribute('download')
  )
    return null;
  const route = isPagePath(link.pathname) && matchRoute(routeTable, link.pathname)?.route.id;
  if (!route) return null;
  const controller = new AbortController();
  const target = { path: link.pathname, search: link.search, route, controller, isUrgent: false };
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

/**
 * Fetches the build manifest once the page is quiet, except on a `slow-2g` connection, where the first use fetches it. A
 * failed fetch is repeated at the next use after a pause.
 *
 * @param quiet resolves when the page has been idle for a while.
 * @returns a function that gives the chunks of a route.
 */
function routeChunks(buildId: string, quiet: Promise<void>): (route: RouteId) => Promise<readonly string[]> {
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
  // A server of another build does not have this build's manifest.
  if (!routes) throw new Error('No build manifest');
  return routes;
}

const preloaded = new Map<string, Promise<void>>();

/** Loads a chunk without running it. The promise rejects when loading fails; a later call tries again. */
function preloadModule(href: string): Promise<void> {
  const known = preloaded.get(href);
  if (known) return known;
  // The early script has already preloaded the chunks of the first page.
  if (document.head.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const loading = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
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
