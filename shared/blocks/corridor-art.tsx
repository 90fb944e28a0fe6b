import styles from './corridor-art.module.css';

const ARCS = [
  'M150 330C260 120 470 90 590 210',
  'M590 210C690 150 800 190 850 300',
  'M150 330C300 300 420 380 480 470',
  'M480 470C620 330 740 290 850 300',
  'M310 150C420 80 520 110 590 210',
];
const PLACES = [
  [150, 330],
  [590, 210],
  [850, 300],
  [480, 470],
  [310, 150],
] as const;

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
