import styles from './corridor-art.module.css';

const PLACES = [
  [170, 250],
  [470, 165],
  [560, 220],
  [830, 270],
  [330, 440],
  [700, 400],
] as const;
const ARCS = [
  'M170 250C240 130 390 100 470 165',
  'M470 165C600 60 790 130 830 270',
  'M560 220C620 150 770 170 830 270',
  'M330 440C340 320 430 210 560 220',
  'M560 220C640 230 690 300 700 400',
];

/** Corridors over a field of dots: what the hero shows where there is no map. A decoration. */
export function CorridorArt() {
  return (
    <svg className={styles.root} viewBox="0 0 1000 600" aria-hidden="true" focusable="false">
      <defs>
        <pattern id="corridor-dots" width="16" height="16" patternUnits="userSpaceOnUse">
          <circle cx="8" cy="8" r="1.7" fill="currentColor" />
        </pattern>
        <radialGradient id="corridor-fade">
          <stop offset="0.35" stopColor="#fff" />
          <stop offset="1" stopColor="#000" />
        </radialGradient>
        <mask id="corridor-mask">
          <rect width="1000" height="600" fill="url(#corridor-fade)" />
        </mask>
      </defs>
      <rect
        className={styles.dots}
        width="1000"
        height="600"
        fill="url(#corridor-dots)"
        mask="url(#corridor-mask)"
      />
      <g className={styles.arcs} fill="none" stroke="currentColor" strokeWidth="2">
        {ARCS.map(arc => (
          <path key={arc} d={arc} pathLength="1" />
        ))}
      </g>
      <g className={styles.places} fill="currentColor">
        {PLACES.map(([x, y]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="6" />
        ))}
      </g>
    </svg>
  );
}
