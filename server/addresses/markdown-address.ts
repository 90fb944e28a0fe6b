import { entryTypes } from '../../shared/content/entries.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';
import { siteRoutes } from '../../site/routes.ts';

/** Added to the path of a page, it gives the address of its text in Markdown. */
export const MARKDOWN_SUFFIX = '.md';

const TEXT_ROUTES: ReadonlySet<string> = new Set([
  siteRoutes.article,
  ...entryTypes.map(({ route }) => route),
]);

/** Whether a route's pages have a text in Markdown. No text may pass by middleware that protects its page. */
export function hasMarkdown({ id, middleware }: Pick<RouteDefinition, 'id' | 'middleware'>): boolean {
  return TEXT_ROUTES.has(id) && middleware.length === 0;
}
