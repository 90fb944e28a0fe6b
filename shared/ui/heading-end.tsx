/**
 * Follows the `h1` of each page. Browsers that know `expect` paint nothing before it (`client/early.ts`), and
 * warn in the console without one. It is not the `h1` itself, because Chromium waits for a start tag only.
 */
export function HeadingEnd() {
  return <span id="after-title" hidden />;
}
