import { SHARE_PICTURE } from '../../shared/content/image.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { embedJson, escapeJson } from '../../shared/payload/embed-json.ts';
import { errorTitle, type PageError } from '../../shared/payload/http-error.ts';
import { PAGE_DATA_ID, type PageData, ROOT_ID } from '../../shared/payload/page-data.ts';
import { titleWithoutSite } from '../../shared/payload/page-title.ts';
import type { Head } from '../../shared/payload/shell.ts';
import { FEED_FORMATS, FEED_TYPES, type FeedFormat, feedPath } from '../../shared/routing/feed-files.ts';
import { BLOG_FEED, feedPagePath, hasFeed } from '../../shared/routing/feeds.ts';
import { pathTo, routeById } from '../../shared/routing/routes.ts';
import { siteRoutes } from '../../site/routes.ts';
import { hasMarkdown, MARKDOWN_SUFFIX } from '../addresses/type-routes.ts';
import type { SiteLanguage } from '../content/reading/site-language.ts';
import { isHiddenBy } from '../decode/decode-seo.ts';
import { MARKDOWN_TYPE } from '../http/request/prefers-markdown.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import type { HtmlRequest, LoadedPage } from './html-request.ts';

interface DocumentContents {
  data: PageData;
  customCss: readonly string[];
  scripts: readonly string[];
  previewBar: string | null;
}

export type DocumentParts = ReturnType<typeof pageDocument>;

/** Writes a document without inline scripts and styles, which the security policy forbids. */
export function pageDocument(
  manifest: BuildManifest,
  { page, origin, hydrate }: HtmlRequest,
  { data, customCss, scripts, previewBar }: DocumentContents,
) {
  const { payload, jsonLd, language } = page;
  // Name the chunks for the early script, which loads them after the first paint (`client/early.ts`).
  const chunks = [
    ...manifest.preload,
    ...manifest.catalogues[language.page.catalogue],
    ...((payload.route && manifest.routes[payload.route]) || []),
  ];
  const start = hydrate ? ` data-entry="${manifest.entry}" data-chunks="${chunks.join(' ')}"` : '';
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    `<title>${escapeHtml(payload.head.title)}</title>`,
    `<script src="${manifest.early}"${start}></script>`,
    // React adds stylesheets of late views after those with a precedence.
    `<link rel="stylesheet" href="${manifest.stylesheet}" data-precedence="site">`,
    ...(previewBar === null ? [] : ['<link rel="stylesheet" href="/preview.css">']),
    ...customCss.map(href => `<link rel="stylesheet" href="${escapeHtml(href)}">`),
    ...scripts.map(src => `<script defer src="${escapeHtml(src)}"></script>`),
    ...metaTags(page, origin),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="manifest" href="/manifest.webmanifest">',
    ...(origin ? [...feedLinks(payload, language.labels.text('blog')), ...markdownLink(payload)] : []),
    ...Object.entries(manifest.bar).map(
      ([scheme, colour]) =>
        `<meta name="theme-color" content="${colour}" media="(prefers-color-scheme: ${scheme})">`,
    ),
    ...jsonLd.map(block => `<script type="application/ld+json">${escapeJson(block)}</script>`),
  ];
  const dataBlock = hydrate
    ? `<script type="application/json" id="${PAGE_DATA_ID}">${embedJson(data)}</script>`
    : '';
  return {
    before: `<!doctype html><html ${languageAttributes(language)}><head${dateOf(payload.head, language)}>${head.join('')}</head><body><div id="${ROOT_ID}">`,
    after: `</div>${previewBar ?? ''}${dataBlock}</body></html>`,
  };
}

/** The date of the page, shown in print only (`print.css`). Scripts replace it by the day of printing. */
function dateOf({ modifiedTime, publishedTime }: Head, { labels }: SiteLanguage): string {
  const time = Date.parse(modifiedTime ?? publishedTime ?? '');
  return Number.isNaN(time) ? '' : ` data-date="${escapeHtml(labels.date(time))}"`;
}

function feedLinks({ route, params, head, error }: PageData['payload'], blog: string): string[] {
  const link = (format: FeedFormat, href: string, title: string) =>
    `<link rel="alternate" type="${FEED_TYPES[format]}" href="${escapeHtml(href)}" title="${escapeHtml(title)}">`;
  if (error || !hasFeed(route)) return [link('rss', BLOG_FEED, blog)];
  const page = feedPagePath(route, params);
  const own = FEED_FORMATS.map(format => link(format, feedPath(page, format), head.title));
  return route === siteRoutes.blog ? own : [...own, link('rss', BLOG_FEED, blog)];
}

/** Links to the page's Markdown version, unless an editor hides the page from search engines. */
function markdownLink({ route, params, head, error }: PageData['payload']): string[] {
  if (error || route === null || !hasMarkdown(routeById(route)) || isHiddenBy(head.robots)) return [];
  const text = pathTo(route, params as never) + MARKDOWN_SUFFIX;
  return [`<link rel="alternate" type="${MARKDOWN_TYPE}" href="${escapeHtml(text)}">`];
}

/** Writes meta tags, which `client/navigation/arrival.ts` finds by their names. */
function metaTags({ payload, share }: LoadedPage, origin: SiteOrigin): string[] {
  const { head, data } = payload;
  const siteName = data.shell?.siteName ?? '';
  const canonical = origin && head.canonical && new URL(head.canonical, origin).href;
  const image = share && URL.parse(share.src, origin ?? undefined)?.href;
  const meta = (
    attribute: 'name' | 'property',
    name: string,
    content: string | number | null | undefined | false,
  ) =>
    content === null || content === undefined || content === false
      ? []
      : [`<meta ${attribute}="${name}" content="${escapeHtml(String(content))}">`];
  return [
    ...meta('name', 'description', head.description),
    ...meta('name', 'robots', head.robots),
    ...(canonical ? [`<link rel="canonical" href="${escapeHtml(canonical)}">`] : []),
    ...meta('property', 'og:type', head.ogType),
    ...meta('property', 'og:title', titleWithoutSite(head.title, siteName)),
    ...meta('property', 'og:description', head.description),
    ...meta('property', 'og:url', canonical),
    ...meta('property', 'og:site_name', siteName),
    ...meta('property', 'og:image', image),
    ...(share && image
      ? [
          ...meta('property', 'og:image:type', SHARE_PICTURE.type),
          ...meta('property', 'og:image:width', SHARE_PICTURE.width),
          ...meta('property', 'og:image:height', SHARE_PICTURE.height),
          ...meta('property', 'og:image:alt', share.alt),
        ]
      : []),
    ...meta('property', 'article:published_time', head.publishedTime),
    ...meta('property', 'article:modified_time', head.ogType === 'article' && head.modifiedTime),
    ...meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
  ];
}

/** Writes a document without styles and scripts, for refusals and for error pages that cannot be rendered. */
export function bareErrorDocument(
  { statusCode, statusMessage, message }: Pick<PageError, 'statusCode' | 'statusMessage' | 'message'>,
  language: SiteLanguage,
): string {
  const { labels } = language;
  const title = errorTitle(statusCode, labels);
  const [heading, tryAgain] = [escapeHtml(title), escapeHtml(labels.text('tryAgain'))];
  const texts = [statusMessage, message].filter(text => text !== title);
  return bareDocument(
    language,
    title,
    `<p>${statusCode}</p><h1>${heading}</h1>${texts.map(text => `<p>${escapeHtml(text)}</p>`).join('')}<p><a href="">${tryAgain}</a></p>${searchForm(language)}`,
  );
}

function searchForm({ labels }: SiteLanguage): string {
  const [label, button] = [escapeHtml(labels.text('searchSite')), escapeHtml(labels.text('search'))];
  return `<search><form action="${pathTo(siteRoutes.search, {})}"><input type="search" name="q" required dir="auto" aria-label="${label}"> <button>${button}</button></form></search>`;
}

/** @param main escaped HTML. */
export function bareDocument(language: SiteLanguage, title: string, main: string): string {
  return `<!doctype html><html ${languageAttributes(language)}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title></head><body><main>${main}<p><a href="/">${escapeHtml(language.labels.text('home'))}</a></p></main></body></html>`;
}

export function languageAttributes({ page, dir }: SiteLanguage): string {
  return `lang="${page.locale}" dir="${dir}"`;
}

/** Escapes text, and attribute values in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"]/g,
    character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? character,
  );
}
