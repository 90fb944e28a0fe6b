import type { RequestHandler } from 'express';
import type { Article } from '../../../shared/content/blog.ts';
import { type Entry, entryTypes } from '../../../shared/content/entries.ts';
import { matchRoute } from '../../../shared/routing/match-route.ts';
import { pathTo, type RouteDefinition } from '../../../shared/routing/routes.ts';
import { siteRoutes } from '../../../site/routes.ts';
import { fixedAddressOf } from '../../addresses/fixed-addresses.ts';
import { hasMarkdown, MARKDOWN_SUFFIX } from '../../addresses/type-routes.ts';
import type { ContentReader } from '../../content/reading/content-reader.ts';
import { isHiddenBy } from '../../decode/decode-seo.ts';
import { beginOf } from '../../decode/site-time.ts';
import { MARKDOWN_TYPE, prefersMarkdown } from '../../http/request/prefers-markdown.ts';
import { siteNameOf } from '../../loading/shell.ts';
import { inSlices, type Steps } from '../../ops/slices.ts';
import type { HasRedirect } from '../../page/answer-redirect.ts';
import type { PageMatch } from '../../page/page-request.ts';
import { type LoadParts, movedPath } from '../../page/resolve/load-page.ts';
import { wholeText } from '../../rich-text/nodes/read-rich-text.ts';
import { type DocumentParts, storedDocument } from '../stored-document.ts';
import { markdownText, richTextMarkdown } from './rich-text-markdown.ts';

export const MARKDOWN_PATHS = `/*page${MARKDOWN_SUFFIX}`;

/** Blocks written in one tick. Writing a long text at once would block other requests. */
const NODES_OF_A_STEP = 100;

interface MarkdownParts extends DocumentParts, Pick<LoadParts, 'contents'> {
  readonly routes: readonly RouteDefinition[];
}

/** Serves the text of an article or another entry as Markdown: `/blog/guides/fees.md`. */
export function markdownPages(parts: MarkdownParts, redirected: HasRedirect): RequestHandler {
  return async (req, res, next) => {
    const page = req.path.slice(0, -MARKDOWN_SUFFIX.length);
    const match = matchRoute(parts.routes, page);
    if (match === null || !isText(match) || (await redirected(req, res, page))) return next();
    const document = storedDocument(parts, {
      route: 'markdown',
      contentType: `${MARKDOWN_TYPE}; charset=utf-8`,
      showsMedia: true,
      canonical: page,
      async write(reader, origin) {
        const text = await textAt(reader, match);
        if (text === null || isHiddenBy(text.seo.robots)) return null;
        const { timeZone } = parts.languageOf(await reader.settings()).page;
        return Buffer.from(await inSlices(markdownOf(text, origin + page, timeZone)));
      },
      async moved(reader) {
        const path = await movedPath(parts, reader, match);
        return path && path + MARKDOWN_SUFFIX;
      },
    });
    return document(req, res, next);
  };
}

/** Redirects clients that prefer Markdown to a page's Markdown version. No cache may redirect others. */
export function sendToMarkdown({ routes }: Pick<MarkdownParts, 'routes'>): RequestHandler {
  return (req, res, next) => {
    const match = prefersMarkdown(req) ? matchRoute(routes, req.path) : null;
    if (match === null || !isText(match)) return next();
    res.set('Cache-Control', 'no-store').redirect(303, req.path + MARKDOWN_SUFFIX);
  };
}

/** Whether a page may have a Markdown version. `validate` may refuse the address of an existing entry. */
function isText({ route, params }: PageMatch): boolean {
  return hasMarkdown(route) && (route.validate?.(params) ?? true) === true;
}

async function textAt(
  reader: ContentReader,
  { route: { id }, params: { category = '', slug = '' } }: PageMatch,
): Promise<Article | Entry | null> {
  if (id === siteRoutes.article) {
    const article = await reader.article(category, slug);
    return article?.category?.slug === category ? article : null;
  }
  const type = entryTypes.find(({ route }) => route === id);
  return type && fixedAddressOf(type.path, slug) === null ? reader.entry(type.path, slug) : null;
}

function* markdownOf(text: Article | Entry, page: string, timeZone: string): Steps<string> {
  const { title, h1, description, updatedAt, questions } = text;
  const body = wholeText(text);
  const article = 'date' in text ? text : null;
  const facts = {
    title,
    description,
    canonical: text.seo.canonical ?? page,
    author: article?.author?.name ?? null,
    published: article && beginOf(article.date, timeZone),
    updated: updatedAt,
    category: article?.category?.name ?? null,
    tags: article && article.tags.length > 0 ? article.tags.map(({ name }) => name) : null,
  };
  // JSON strings and arrays are valid YAML.
  const head = Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : `${name}: ${JSON.stringify(value)}`,
  );
  const parts = [`---\n${head.join('\n')}\n---`, `# ${markdownText(h1 ?? title)}`];
  for (let at = 0; at < body.length; at += NODES_OF_A_STEP) {
    parts.push(richTextMarkdown(body.slice(at, at + NODES_OF_A_STEP), page));
    yield;
  }
  for (const { question, answer } of questions) {
    parts.push(`## ${markdownText(question)}`, richTextMarkdown(answer, page));
    yield;
  }
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

/** Serves `/llms.txt` (llmstxt.org): the site's name, and the links of its menu and categories. */
export function llmsTxt(parts: MarkdownParts): RequestHandler {
  return storedDocument(parts, {
    route: 'markdown',
    contentType: 'text/plain; charset=utf-8',
    async write(reader, origin) {
      const [settings, landing, categories] = await Promise.all([
        reader.settings(),
        reader.landing(),
        reader.categories('used'),
      ]);
      const { labels } = parts.languageOf(settings);
      const link = ({ title, href }: { title: string; href: string }) => {
        // Link to the Markdown version, except for a link with a hash or a query.
        const match = /[?#]/.test(href) ? null : matchRoute(parts.routes, href);
        const address = match && hasMarkdown(match.route) ? href + MARKDOWN_SUFFIX : href;
        return `- [${markdownText(title)}](${new URL(address, origin).href})`;
      };
      const menu = [...settings.headerLinks, ...settings.footerLinks]
        .flatMap(({ children, ...top }) => [top, ...children])
        .filter(({ href }) => href.startsWith('/'));
      const topics = categories.list.map(({ name, slug }) => ({
        title: name,
        href: pathTo(siteRoutes.category, { category: slug }),
      }));
      const all = [...menu, ...topics];
      const links = all.filter(({ href }, index) => all.findIndex(one => one.href === href) === index);
      const description =
        landing.seo.description === null ? '' : `> ${markdownText(landing.seo.description)}\n\n`;
      const title = markdownText(siteNameOf(settings, origin));
      return Buffer.from(
        `# ${title}\n\n${description}## ${labels.text('menu')}\n\n${links.map(link).join('\n')}\n`,
      );
    },
  });
}
