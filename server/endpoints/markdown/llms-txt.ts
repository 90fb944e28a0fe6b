import type { RequestHandler } from 'express';
import { matchRoute } from '../../../shared/routing/match-route.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { siteRoutes } from '../../../site/routes.ts';
import { hasMarkdown, MARKDOWN_SUFFIX } from '../../addresses/type-routes.ts';
import { siteNameOf } from '../../loading/shell.ts';
import { storedDocument } from '../stored-document.ts';
import type { MarkdownParts } from './markdown-pages.ts';
import { markdownText } from './rich-text-markdown.ts';

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
        // A link to a part of a page, or with a query, stays a link to the page.
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
