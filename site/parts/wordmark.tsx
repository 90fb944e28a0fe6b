import styles from './wordmark.module.css';

/** @returns the approximate width of a letter, in hundredths of the font size. */
function letterWidth(letter: string): number {
  return /[fijlrst.,'’ ]/.test(letter) ? 44 : 64;
}

/** Decoration as wide as the page. The footer also has the name as text. */
export function Wordmark({ name }: { name: string }) {
  // Keep a least width, so that a short name does not fill the screen. `textLength` corrects the estimate.
  const width = Math.max(
    300,
    [...name].reduce((sum, letter) => sum + letterWidth(letter), 0),
  );
  return (
    <svg className={styles.root} viewBox={`3 0 ${width - 3} 104`} aria-hidden="true">
      <text x="0" y="80" textLength={width} fontSize="100" fill="currentColor">
        {name}
      </text>
    </svg>
  );
}
