import type { Head } from '../shared/payload/payload.ts';

/** Updates the document's head for the page shown: title, description, canonical address, sharing, indexing. */
export function applyHead(head: Head): void {
  document.title = head.title;
  const canonical = head.canonicalPath && location.origin + head.canonicalPath;
  setMeta('name', 'description', head.description);
  setMeta('name', 'robots', head.noindex ? 'noindex' : null);
  setMeta('property', 'og:type', head.ogType);
  setMeta('property', 'og:title', head.title);
  setMeta('property', 'og:description', head.description);
  setMeta('property', 'og:url', canonical);
  setMeta('property', 'og:image', head.image && new URL(head.image.src, location.origin).href);
  setMeta('property', 'og:image:alt', head.image?.alt || null);
  setMeta('property', 'og:image:width', head.image?.width?.toString() ?? null);
  setMeta('property', 'og:image:height', head.image?.height?.toString() ?? null);
  setMeta('property', 'article:published_time', head.publishedTime);
  setMeta('property', 'article:modified_time', head.ogType === 'article' ? head.modifiedTime : null);
  setMeta('name', 'twitter:card', head.image ? 'summary_large_image' : 'summary');
  // The server's HTML carries structured data for the first page only. It does not describe any later page.
  for (const block of document.head.querySelectorAll('script[type="application/ld+json"]')) block.remove();
  setElement('link[rel="canonical"]', canonical, () => {
    const link = document.createElement('link');
    link.rel = 'canonical';
    return link;
  })?.setAttribute('href', canonical ?? '');
}

function setMeta(attribute: 'name' | 'property', name: string, content: string | null): void {
  setElement(`meta[${attribute}="${name}"]`, content, () => {
    const meta = document.createElement('meta');
    meta.setAttribute(attribute, name);
    return meta;
  })?.setAttribute('content', content ?? '');
}

/** Finds or creates the element. Removes it when `content` is null. */
function setElement(selector: string, content: string | null, create: () => Element): Element | null {
  const found = document.head.querySelector(selector);
  if (content === null) {
    found?.remove();
    return null;
  }
  return found ?? document.head.appendChild(create());
}
