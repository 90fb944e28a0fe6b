import { type MetricType, onCLS, onINP, onLCP, onTTFB } from 'web-vitals';
import type { Router } from '../../shared/routing/router.ts';

/** The server refuses reports with more figures or more views. */
const MAX_ITEMS = 20;

/**
 * Reports views and web vitals when the page is hidden, because later events may never come. A report says
 * nothing about the visitor.
 */
export function startVitals(router: Pick<Router, 'subscribe' | 'state'>): void {
  let shown = location.pathname;
  let views = [shown];
  let figures: { path: string; name: string; value: number }[] = [];
  let from = referrerHost();
  const noted = new Set<string>();

  function note({ name, id, value, navigationType, navigationURL }: MetricType): void {
    // Keep the first value of each figure: the server's histogram cannot replace a counted value.
    if (noted.has(id) || (name === 'TTFB' && navigationType === 'soft-navigation')) return;
    noted.add(id);
    figures.push({ path: new URL(navigationURL ?? location.href).pathname, name, value });
  }

  function send(): void {
    if (document.visibilityState !== 'hidden' || (views.length === 0 && figures.length === 0)) return;
    const report = { from, views: views.slice(0, MAX_ITEMS), figures: figures.slice(0, MAX_ITEMS) };
    navigator.sendBeacon('/vitals', new Blob([JSON.stringify(report)], { type: 'application/json' }));
    [from, views, figures] = ['', [], []];
  }

  const options = { reportSoftNavs: true };
  for (const on of [onCLS, onINP, onLCP, onTTFB]) on(note, options);
  router.subscribe(({ location: { pathname } }) => {
    if (pathname === shown) return;
    shown = pathname;
    views.push(pathname);
  });
  // The library's listeners run first, so this report has their last figures.
  document.addEventListener('visibilitychange', send);
}

/** @returns the host of the site that linked here; empty without one. */
function referrerHost(): string {
  const host = URL.parse(document.referrer)?.hostname ?? '';
  return host === location.hostname ? '' : host;
}
