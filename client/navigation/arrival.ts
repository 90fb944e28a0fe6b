import { onSite } from '../../shared/payload/page-title.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import { decodeUri } from '../../shared/routing/decode-uri.ts';

/** Elements only for crawlers, which load every page from the server. Navigations remove them. */
const OF_FIRST_PAGE = 'script[type="application/ld+json"],meta[property^="og:image"]';
const STORAGE_KEY = 'site:scroll';
const MAX_POSITIONS = 100;

type Position = [x: number, y: number];

export function applyHead({ head, data }: PagePayload): void {
  document.title = head.title;
  const canonical = head.canonical && new URL(head.canonical, location.origin).href;
  const metas: Record<string, string | null | undefined> = {
    description: head.description,
    robots: head.robots,
    'og:type': head.ogType,
    // Keep the site's name out of `og:title`, as the server does for shared links.
    'og:title': head.title.replace(onSite(data.shell?.siteName ?? location.host), ''),
    'og:description': head.description,
    'og:url': canonical,
    'article:published_time': head.publishedTime,
    'article:modified_time': head.ogType === 'article' ? head.modifiedTime : null,
  };
  for (const [name, content] of Object.entries(metas))
    setElement('meta', /^(?:og|article):/.test(name) ? 'property' : 'name', name, 'content', content);
  for (const element of document.head.querySelectorAll(OF_FIRST_PAGE)) element.remove();
  setElement('link', 'rel', 'canonical', 'href', canonical);
}

function setElement(
  tag: 'meta' | 'link',
  key: string,
  name: string,
  attribute: string,
  value: string | null | undefined,
): void {
  let element = document.head.querySelector(`${tag}[${key}="${name}"]`);
  if (value === null || value === undefined) {
    element?.remove();
    return;
  }
  if (!element) {
    element = document.head.appendChild(document.createElement(tag));
    element.setAttribute(key, name);
  }
  element.setAttribute(attribute, value);
}

/** Restores scroll positions in place of the browser, except after a reload. */
export function startScrollMemory() {
  const positions = read();
  history.scrollRestoration = 'manual';
  window.addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions]));
    } catch {
      // Without storage, positions are lost with the page.
    }
  });
  // Take over again when the page returns from the back/forward cache: `pagehide` has set `auto`.
  window.addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual';
  });
  return {
    leave(key: string): void {
      positions.delete(key);
      positions.set(key, [scrollX, scrollY]);
      const [oldest = ''] = positions.keys();
      if (positions.size > MAX_POSITIONS) positions.delete(oldest);
    },
    arrive(key: string, hash: string, isTraversal: boolean): HTMLElement | null {
      const position = isTraversal ? positions.get(key) : undefined;
      const fragment = hash.slice(1);
      const target = hash ? document.getElementById(decodeUri(fragment) ?? fragment) : null;
      if (position) scrollTo(...position);
      else if (target) target.scrollIntoView();
      else scrollTo(0, 0);
      return target;
    },
  };
}

/** Focuses the new page's heading, so that screen readers read it. */
export function focusHeading(): void {
  const heading =
    document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  heading?.focus({ preventScroll: true });
}

/** Focuses the target of a hash, so that the next Tab continues there. */
export function focusTarget(target: HTMLElement): void {
  target.focus({ preventScroll: true });
  if (document.activeElement === target) return;
  target.tabIndex = -1;
  target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  target.focus({ preventScroll: true });
}

function read(): Map<string, Position> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, Position][]);
  } catch {
    return new Map();
  }
}
