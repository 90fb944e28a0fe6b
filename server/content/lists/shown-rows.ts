import { type DecodeContext, lose } from '../decode/decode-context.ts';
import type { ServedType } from '../described-types.ts';

/**
 * Most rows of a complete list that a page shows: cards of entries, categories in the navigation, links of the footer. A page with more of
 * them keeps the main thread busy while it is rendered. All rows keep their own pages.
 */
export const MAX_SHOWN_ROWS = 500;
/** Most categories with a section on the index of the blog. Each section costs a call to the backend, and has several articles. */
export const MAX_SECTIONS = 250;

/** The types of which a page shows all rows, by path. */
const SHOWN_TYPES: readonly string[] = ['business-solutions', 'categories', 'commerces', 'socials'];

/** Reports the rows of a complete list that pages leave out. */
export function reportHiddenRows({ path }: ServedType, rows: number, context: DecodeContext): void {
  if (!SHOWN_TYPES.includes(path)) return;
  const report = (most: number, where: string) =>
    lose(context, 'value-left-out', `only the first ${most} of ${rows} are shown ${where}`);
  if (rows > MAX_SHOWN_ROWS) report(MAX_SHOWN_ROWS, 'on a page');
  if (path === 'categories' && rows > MAX_SECTIONS) report(MAX_SECTIONS, 'on the index of the blog');
}
