import drawings, { letterWidths } from '../brand/logo.svg';
import styles from './wordmark.module.css';

/** A name from this length on is set in two lines. */
const TWO_LINES_FROM = 30;
/** The height of a line, in hundredths of the font's size. Arabic letters reach further up and down. */
const [LINE, ARABIC_LINE] = [100, 150];
/** Browsers keep the server's markup, so they need no widths. */
const known = __BROWSER__ ? {} : letterWidths;

/** Decoration as wide as the page, or narrower for a short name. The footer also has the name as text. */
export function Wordmark({ name }: { name: string }) {
  const lines = linesOf(name);
  const widths = lines.map(widthOf);
  const width = Math.max(...widths);
  const height = /\p{Script=Arabic}/u.test(name) ? ARABIC_LINE : LINE;
  return (
    <svg
      className={styles.root}
      viewBox={`3 0 ${width - 3} ${104 + height * (lines.length - 1)}`}
      width={`${Math.round(width / 3)}%`}
      aria-hidden="true"
    >
      {lines.map((line, index) => (
        // `textLength` corrects the sum of widths for kerning. Spacing alone would separate joined letters.
        <text key={line} y={80 + height * index} textLength={widths[index]} lengthAdjust="spacingAndGlyphs">
          {line}
        </text>
      ))}
    </svg>
  );
}

/** Splits a long name at the space that is nearest to its middle. */
function linesOf(name: string): string[] {
  if (name.length < TWO_LINES_FROM) return [name];
  const middle = name.length / 2;
  const [before, after] = [name.lastIndexOf(' ', middle), name.indexOf(' ', middle)];
  const at = after < 0 || (before > 0 && middle - before < after - middle) ? before : after;
  return at > 0 ? [name.slice(0, at), name.slice(at + 1)] : [name];
}

function widthOf(line: string): number {
  const letters = Array.from(line, letter => {
    const isNarrow = /[fijlrtIآأإادذرزل\p{M} ]/u.test(letter);
    return known[letter] ?? drawings.letterWidth * (isNarrow ? 0.6 : 1);
  });
  return Math.round(letters.reduce((sum, one) => sum + one, 0));
}
