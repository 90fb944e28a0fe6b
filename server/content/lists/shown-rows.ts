import { listedTypes } from '../../../shared/content/entries.ts';
import { siteTypes } from '../../../site/types.ts';
import { type DecodeContext, lose } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';

/** Limit for a page. More rows would block the browser's main thread. */
export const MAX_SHOWN_ROWS = 500;
/** Limit for the categories on the blog's index. Each one costs a call to the backend. */
export const MAX_SECTIONS = 250;

/** Types whose rows are all on one page, by path. */
const SHOWN_TYPES: readonly string[] = [siteTypes.category, siteTypes.social, ...listedTypes].map(
  ({ path }) => path,
);

export function reportHiddenRows({ path }: ServedType, rows: number, context: DecodeContext): void {
  if (!SHOWN_TYPES.includes(path)) return;
  const report = (most: number, where: string) =>
    lose(context, 'value-left-out', `only the first ${most} of ${rows} are shown ${where}`);
  if (rows > MAX_SHOWN_ROWS) report(MAX_SHOWN_ROWS, 'on a page');
  if (path === siteTypes.category.path && rows > MAX_SECTIONS)
    report(MAX_SECTIONS, 'on the index of the blog');
}
