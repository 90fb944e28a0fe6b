import styles from './footer-logo.module.css';

/** The site's name as wide as the page, whatever its length. A decoration: the name stands in the footer as text too. */
export function FooterLogo({ name }: { name: string }) {
  // Besley's letters are about 0.58 em wide; `textLength` evens out the rest.
  const width = Math.max(4, [...name].length) * 56;
  return (
    <svg className={styles.root} viewBox={`0 0 ${width} 92`} aria-hidden="true" focusable="false">
      <text
        x="0"
        y="76"
        textLength={width}
        lengthAdjust="spacingAndGlyphs"
        fontSize="100"
        fill="currentColor"
      >
        {name}
      </text>
    </svg>
  );
}
