import drawings from '../brand/logo.svg';
import styles from './wordmark.module.css';

/** Decoration as wide as the page, or narrower for a short name. The footer also has the name as text. */
export function Wordmark({ name }: { name: string }) {
  // `textLength` corrects the estimate by the letters' own width, because a space would part joined ones.
  const letters = [...name].map(letter => (/[fijlrtI\p{M} ]/u.test(letter) ? 0.6 : 1));
  const width = Math.round(drawings.letterWidth * letters.reduce((sum, share) => sum + share, 0));
  return (
    <svg
      className={styles.root}
      viewBox={`3 0 ${width - 3} 104`}
      width={`${Math.round(width / 3)}%`}
      aria-hidden="true"
    >
      <text y="80" textLength={width} lengthAdjust="spacingAndGlyphs">
        {name}
      </text>
    </svg>
  );
}
