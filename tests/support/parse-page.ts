import type { Element, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { PAGE_DATA_ID, type PageData } from '../../shared/payload/page-data.ts';
import type { LayoutName } from '../../shared/routing/routes.ts';
import overlayStyles from '../../site/layouts/initial-overlay.module.css';

/** Parts of a page's HTML that the tests check. */
export interface ParsedPage {
  title: string;
  headings: string[];
  /** Text of `<main>`. */
  main: string;
  canonical: string | null;
  robots: string | null;
  layout: LayoutName | null;
  /** Whether the page has the shell's content. Every layout with it shows the subscribe block. */
  hasShell: boolean;
  /** Page data for the browser, or null on a page that is not hydrated. */
  data: PageData | null;
  jsonLd: unknown[];
  /**
   * Inline code, which the security policy forbids: scripts without a `src`, style elements, style and event
   * attributes.
   */
  inline: string[];
  all(tagName: string): Element[];
}

/**
 * @returns the page as an HTML parser reads it. An unclosed tag or an unescaped attribute therefore changes
 *   the result.
 */
export function parsePage(html: string): ParsedPage {
  const tree: Root = unified().use(rehypeParse).parse(html);
  const elements: Element[] = [];
  visit(tree, 'element', element => void elements.push(element));
  const all = (tagName: string) => elements.filter(element => element.tagName === tagName);
  const scripts = all('script');
  const link = all('link').find(element => includes(element, 'rel', 'canonical'));
  const robots = all('meta').find(element => element.properties.name === 'robots');
  const dataBlock = scripts.find(element => element.properties.id === PAGE_DATA_ID);
  return {
    title: all('title').map(textOf).join('|'),
    headings: all('h1').map(element => textOf(element).trim()),
    main: all('main').map(textOf).join('\n'),
    canonical: text(link?.properties.href),
    robots: text(robots?.properties.content),
    layout: layoutOf(elements),
    hasShell: elements.some(element => element.properties.id === 'subscribe'),
    data: dataBlock ? (JSON.parse(textOf(dataBlock)) as PageData) : null,
    jsonLd: scripts
      .filter(element => element.properties.type === 'application/ld+json')
      .map(element => JSON.parse(textOf(element)) as unknown),
    inline: elements.flatMap(inlineCode),
    all,
  };
}

/** The blog's layout has the category navigation, the default layout the initial overlay. */
function layoutOf(elements: readonly Element[]): LayoutName | null {
  const overlay = overlayStyles.root ?? '';
  const isDefault = elements.some(element => includes(element, 'className', overlay));
  const isBlog = elements.some(
    element => element.tagName === 'nav' && element.properties.ariaLabel === 'Categories',
  );
  if (isDefault === isBlog) return null;
  return isBlog ? 'blog' : 'default';
}

function inlineCode({ tagName, properties, children }: Element): string[] {
  const found = Object.keys(properties)
    .filter(name => name === 'style' || /^on[A-Z]/.test(name))
    .map(name => `<${tagName} ${name}>`);
  const type = properties.type;
  const isData = type === 'application/json' || type === 'application/ld+json';
  if (tagName === 'style') found.push('<style>');
  if (tagName === 'script' && !isData && (!properties.src || children.length > 0)) found.push('<script>');
  if (typeof properties.href === 'string' && /^\s*javascript:/i.test(properties.href))
    found.push(properties.href);
  return found;
}

function includes({ properties }: Element, name: string, value: string): boolean {
  const list = properties[name];
  return Array.isArray(list) && list.includes(value);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
