import styles from './footer-logo.module.css';

/** About how wide a letter of the display face is, in hundredths of its size. */
function letterWidth(letter: string): number {
  if (/[ijl.,'’ ]/.test(letter)) return 34;
  if (/[frst]/.test(letter)) return 49;
  if (/[mwMW]/.test(letter)) return 92;
  return /\p{Lu}/u.test(letter) ? 76 : 60;
}

/** The site's name as wide as the page, whatever its length. A decoration: the name stands in the footer as text too. */
export function FooterLogo({ name }: { name: string }) {
  // A short name is not to fill the screen; `textLength` makes up for what the estimate leaves.
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
