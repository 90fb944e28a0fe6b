import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { childrenNamed, childText, type XmlElement } from './parse-xml.ts';

/*
 * Rules of the W3C Feed Validation Service (https://validator.w3.org/feed/), by the names of its messages.
 * Each function returns the rules that a feed breaks.
 */

/** A feed as a reader gets it. */
export interface FetchedFeed {
  /** The requested address. */
  address: string;
  contentType: string;
  root: XmlElement;
}

export const ATOM = 'http://www.w3.org/2005/Atom';
export const CONTENT = 'http://purl.org/rss/1.0/modules/content/';
export const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';

type Broken = (rule: string, detail?: string | null) => void;

const RFC_822 =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
export const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
export const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
export const MEDIA_TYPE = /^[a-z]+\/[\w.+-]+$/;
const CHANNEL_NAMES =
  'title link description language copyright managingEditor webMaster pubDate lastBuildDate category generator docs cloud ttl image rating textInput skipHours skipDays item';
const ITEM_NAMES = 'title link description author category comments enclosure guid pubDate source';

export const isFullAddress = (text: string | null | undefined): boolean =>
  typeof text === 'string' && /^https?:\/\/[^\s<>"]+$/.test(text) && URL.canParse(text);

/** Runs checks. @returns the names of broken rules, each with a detail. */
function brokenRules(check: (broken: Broken) => void): string[] {
  const found: string[] = [];
  check((rule, detail = null) => found.push(detail === null ? rule : `${rule}: ${detail}`));
  return found;
}

/** @returns the rules of RSS 2.0 that a feed breaks. */
export function brokenRssRules({ address, contentType, root }: FetchedFeed): string[] {
  return brokenRules(broken => {
    checkTransport(contentType, 'application/rss+xml', broken);
    if (root.name !== 'rss' || root.attributes.version !== '2.0') broken('InvalidRSSVersion');
    const [channel] = childrenNamed(root, 'channel', '');
    if (!channel) return broken('MissingChannel');
    requireOnce(channel, ['title', 'link', 'description'], '', broken);
    knownOnly(channel, CHANNEL_NAMES, broken);
    if (!isFullAddress(childText(channel, 'link', ''))) broken('InvalidFullLink', 'channel');
    const language = childText(channel, 'language', '');
    if (language !== null && !LANGUAGE.test(language)) broken('InvalidLanguage', language);
    checkDate(childText(channel, 'lastBuildDate', ''), broken);
    checkSelf(childrenNamed(channel, 'link', ATOM), address, 'MissingAtomSelfLink', broken);
    const items = childrenNamed(channel, 'item', '');
    checkDistinct(
      items.map(item => childText(item, 'guid', '')),
      broken,
    );
    for (const item of items) checkRssItem(item, broken);
  });
}

function checkRssItem(item: XmlElement, broken: Broken): void {
  knownOnly(item, ITEM_NAMES, broken);
  requireOnce(item, ['title', 'link', 'guid', 'pubDate'], '', broken);
  const link = childText(item, 'link', '');
  if (!isFullAddress(link)) broken('InvalidFullLink', link);
  const [guid] = childrenNamed(item, 'guid', '');
  if (!guid) broken('MissingGuid', link);
  else if (guid.attributes.isPermaLink !== 'false' && !isFullAddress(guid.text))
    broken('InvalidHttpGUID', guid.text);
  checkDate(childText(item, 'pubDate', ''), broken);
  for (const { text } of childrenNamed(item, 'author', ''))
    if (!text.includes('@')) broken('InvalidContact', text);
  const enclosures = childrenNamed(item, 'enclosure', '');
  if (enclosures.length > 1) broken('DuplicateEnclosure', link);
  for (const { attributes } of enclosures) {
    if (!isFullAddress(attributes.url)) broken('MissingAttribute', 'url of enclosure');
    if (!/^\d+$/.test(attributes.length ?? '')) broken('InvalidNonNegativeInteger', attributes.length);
    if (!MEDIA_TYPE.test(attributes.type ?? '')) broken('InvalidMIMEType', attributes.type);
  }
  checkHtml(childText(item, 'encoded', CONTENT), broken);
}

/** @returns the rules of Atom 1.0 that a feed breaks. */
export function brokenAtomRules({ address, contentType, root }: FetchedFeed): string[] {
  return brokenRules(broken => {
    checkTransport(contentType, 'application/atom+xml', broken);
    if (root.name !== 'feed' || root.namespace !== ATOM) broken('ObsoleteNamespace', root.namespace);
    checkEntry(root, broken);
    checkSelf(childrenNamed(root, 'link', ATOM), address, 'MissingSelf', broken);
    const entries = childrenNamed(root, 'entry', ATOM);
    const hasAuthor = (element: XmlElement) => childrenNamed(element, 'author', ATOM).length > 0;
    for (const entry of entries) {
      if (!hasAuthor(root) && !hasAuthor(entry)) broken('MissingElement', 'author');
      checkEntry(entry, broken);
      const published = childText(entry, 'published', ATOM);
      if (published !== null && !RFC_3339.test(published)) broken('InvalidRFC3339Date', published);
      const [content] = childrenNamed(entry, 'content', ATOM);
      if (content && content.attributes.type !== 'html') broken('InvalidMIMEType', content.attributes.type);
      checkHtml(content?.text ?? null, broken);
    }
    checkDistinct(
      entries.map(entry => childText(entry, 'id', ATOM)),
      broken,
    );
  });
}

/** Checks the elements that a feed and its entries share. */
function checkEntry(element: XmlElement, broken: Broken): void {
  requireOnce(element, ['id', 'title', 'updated'], ATOM, broken);
  const id = childText(element, 'id', ATOM);
  if (!isFullAddress(id)) broken('InvalidFullLink', id);
  const updated = childText(element, 'updated', ATOM) ?? '';
  if (!RFC_3339.test(updated)) broken('InvalidRFC3339Date', updated);
  const links = childrenNamed(element, 'link', ATOM);
  const alternates = links.filter(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate');
  const hasContent = childrenNamed(element, 'content', ATOM).length > 0;
  if (alternates.length === 0) broken(hasContent ? 'MissingAlternate' : 'MissingContentOrAlternate', id);
  if (alternates.length > 1) broken('DuplicateAtomLink', id);
  for (const { attributes } of links) {
    if (!isFullAddress(attributes.href)) broken('InvalidFullLink', attributes.href);
    if (!MEDIA_TYPE.test(attributes.type ?? '')) broken('InvalidMIMEType', attributes.type);
  }
  for (const author of childrenNamed(element, 'author', ATOM)) {
    if (!childText(author, 'name', ATOM)) broken('MissingElement', 'name of author');
    const uri = childText(author, 'uri', ATOM);
    if (uri !== null && !isFullAddress(uri)) broken('InvalidURIAttribute', uri);
  }
}

function checkTransport(contentType: string, expected: string, broken: Broken): void {
  if (!contentType.startsWith(expected)) broken('UnexpectedContentType', contentType);
  if (!/charset=utf-8/i.test(contentType)) broken('EncodingMismatch', contentType);
}

function checkSelf(links: readonly XmlElement[], address: string, missing: string, broken: Broken): void {
  const self = links.filter(({ attributes }) => attributes.rel === 'self');
  if (self.length === 0) broken(missing);
  for (const { attributes } of self)
    if (attributes.href !== address) broken('SelfDoesntMatchLocation', attributes.href);
}

function requireOnce(element: XmlElement, names: readonly string[], namespace: string, broken: Broken): void {
  for (const name of names) {
    const found = childrenNamed(element, name, namespace);
    if (found.length === 0 || found[0]?.text.trim() === '') broken('MissingElement', name);
    if (found.length > 1) broken('DuplicateElement', name);
  }
}

/** Reports elements that the format does not know. Elements of other namespaces are allowed. */
function knownOnly(element: XmlElement, names: string, broken: Broken): void {
  for (const { name, namespace } of element.children)
    if (namespace === '' && !names.split(' ').includes(name)) broken('UndefinedElement', name);
}

function checkDate(date: string | null, broken: Broken): void {
  if (date === null) return;
  if (!RFC_822.test(date)) broken('InvalidRFC2822Date', date);
  const year = new Date(date).getUTCFullYear();
  if (year < 1970 || year > 2100) broken('ImplausibleDate', date);
}

function checkDistinct(ids: readonly (string | null)[], broken: Broken): void {
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) broken('DuplicateEntries', id);
}

/** Elements that the validator considers a risk. */
const RISKS =
  'applet button embed form frame frameset iframe input link meta object script select style svg textarea';

/** Checks the HTML inside an item: well-formed, without risks, and with absolute addresses. */
export function checkHtml(html: string | null, broken: Broken): void {
  if (html === null) return;
  const fragment = parseFragment(html, {
    onParseError: ({ code }) => broken('NotHtml', code),
  });
  // A parser that had to repair the markup returns other markup.
  if (plainEntities(serialize(fragment)) !== plainEntities(html)) broken('NotHtml', html.slice(0, 80));
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node) {
      if (RISKS.split(' ').includes(node.tagName)) broken('SecurityRisk', node.tagName);
      for (const { name, value } of node.attrs) {
        if (name === 'style') broken('DangerousStyleAttr', value);
        if (name.startsWith('on')) broken('SecurityRiskAttr', name);
        if (/^(?:href|src|poster|cite)$/.test(name) && !/^(?:https?:\/\/|mailto:|tel:)/.test(value))
          broken('ContainsRelRef', value);
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(fragment);
}

/** Characters that HTML may write directly or by a reference. */
const plainEntities = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&nbsp;', '\u00a0');

/**
 * @returns what JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/) forbids, by the names of the members.
 */
export function brokenJsonFeedRules(address: string, contentType: string, feed: unknown): string[] {
  return brokenRules(broken => {
    if (!contentType.startsWith('application/feed+json')) broken('media type', contentType);
    const { version, title, items, home_page_url, feed_url, language, authors, ...others } = asRecord(feed);
    if (version !== 'https://jsonfeed.org/version/1.1') broken('version');
    if (typeof title !== 'string' || title === '') broken('title');
    if (!isFullAddress(home_page_url as string)) broken('home_page_url');
    if (feed_url !== address) broken('feed_url');
    if (typeof language !== 'string' || !LANGUAGE.test(language)) broken('language');
    checkAuthors(authors, broken);
    for (const name of Object.keys(others)) if (name !== 'description') broken('unknown member', name);
    if (!Array.isArray(items)) return broken('items');
    const ids = items.map(item => asRecord(item).id as string);
    for (const id of ids) {
      if (typeof id !== 'string' || id === '') broken('items.id');
      if (ids.indexOf(id) !== ids.lastIndexOf(id)) broken('items.id is not unique', id);
    }
    for (const item of items) checkJsonItem(asRecord(item), broken);
  });
}

function checkJsonItem(item: Record<string, unknown>, broken: Broken): void {
  const { url, image, content_html, content_text, date_published, date_modified, tags, attachments } = item;
  if ('author' in item) broken('items.author is deprecated');
  if (!isFullAddress(url as string)) broken('items.url');
  if (image !== undefined && !isFullAddress(image as string)) broken('items.image');
  if (typeof content_html !== 'string' && typeof content_text !== 'string') broken('items.content_html');
  for (const date of [date_published, date_modified])
    if (date !== undefined && !RFC_3339.test(String(date))) broken('items.date_published', String(date));
  if (tags !== undefined && !(Array.isArray(tags) && tags.every(tag => typeof tag === 'string')))
    broken('items.tags');
  if (item.authors !== undefined) checkAuthors(item.authors, broken);
  for (const attachment of Array.isArray(attachments) ? attachments : []) {
    const { url: file, mime_type, size_in_bytes } = asRecord(attachment);
    if (!isFullAddress(file as string)) broken('attachments.url');
    if (!MEDIA_TYPE.test(String(mime_type))) broken('attachments.mime_type', String(mime_type));
    if (size_in_bytes !== undefined && !Number.isInteger(size_in_bytes)) broken('attachments.size_in_bytes');
  }
  checkHtml(typeof content_html === 'string' ? content_html : null, broken);
}

function checkAuthors(authors: unknown, broken: Broken): void {
  if (!Array.isArray(authors)) broken('authors');
  for (const author of Array.isArray(authors) ? authors : []) {
    const { name, url, avatar } = asRecord(author);
    if (name === undefined && url === undefined && avatar === undefined) broken('authors is empty');
    if (url !== undefined && !isFullAddress(url as string)) broken('authors.url');
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
