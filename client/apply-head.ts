import type { Head } from '../shared/payload/payload.ts';

/** The elements that only programs read, which ask the server for each page. */
const OF_FIRST_PAGE = 'script[type="application/ld+json"],meta[property^="og:image"]';

/** Updates the document's head for the page shown: title, description, canonical address, sharing, indexing. */
export function applyHead(head: Head): void {
  document.title = head.title;
  const canonical = head.canonical && new URL(head.canonical, location.origin).href;
  const metas: Record<string, string | null | undefined> = {
    description: head.description,
    robots: head.robots,
    'og:type': head.ogType,
    // Programs that show shared links read the server's HTML, whose `og:title` is without the name of the site.
    'og:title': head.title,
    'og:description': head.description,
    'og:url': canonical,
    'article:published_time': head.publishedTime,
    'article:modified_time': head.ogType === 'article' ? head.modifiedTime : null,
  };
  for (const [name, content] of Object.entries(metas))
    setElement('meta', /^(?:og|article):/.test(name) ? 'property' : 'name', name, 'content', content);
  // The server's HTML carries structured data and the picture of links for the first page only. They do not describe any later page.
  for (const element of document.head.querySelectorAll(OF_FIRST_PAGE)) element.remove();
  setElement('link', 'rel', 'canonical', 'href', canonical);
}

/**
 * Finds or creates the element whose attribute `key` is `name`, and sets another attribute of it.
 *
 * @param value the attribute's value; null or undefined to remove the element.
 */
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
