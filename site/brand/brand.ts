import type { Brand } from '../../shared/brand.ts';

export const brand: Brand = {
  name: null,
  logo: { hasName: false },
  surfaces: {
    light: ['#faf7f0', '#fffdf9', '#f2ede2'],
    dark: ['#13140f', '#1b1c16', '#0d0e0a'],
  },
  iconBackground: 'accent',
  bar: 'surface',
  // Besley is a Clarendon, the letter of banknotes and timetables. Figtree is plain and has tabular figures.
  // A second weight of the display face would add 13 kB.
  faces: {
    text: { from: '@fontsource-variable/figtree', weights: [400, 700], fallback: 'sans-serif' },
    display: { from: '@fontsource-variable/besley', weights: [500], fallback: 'serif' },
  },
  card: {
    background: 'band',
    ink: 'band-ink',
    inkMuted: 'band-muted',
    accent: 'band-accent',
    faces: [
      {
        from: '@fontsource-variable/noto-sans',
        subsets: ['latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'],
      },
      { from: '@fontsource-variable/noto-sans-arabic', subsets: ['arabic'] },
    ],
  },
};
