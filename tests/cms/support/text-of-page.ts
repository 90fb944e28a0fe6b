/**
 * @returns the visible words of a page, without the line “Updated 3 May 2026”, whose day is that of the last
 *   save.
 */
export function textOf(html: string): string {
  return html
    .slice(html.indexOf('<body'))
    .replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/Updated \d{1,2} \p{L}+ \d{4} /gu, '');
}
