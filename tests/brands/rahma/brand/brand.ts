import type { Brand } from '../../../../shared/brand.ts';

export const brand: Brand = {
  name: 'رحمة',
  logo: { hasName: false },
  surfaces: {
    light: ['#fdf9f3', '#fffdfb', '#f5ecdf'],
    dark: ['#15162a', '#1d1f38', '#0f1020'],
  },
  iconBackground: 'band',
  bar: 'band',
  // Pages preload the first subset.
  faces: {
    text: {
      from: '@fontsource-variable/noto-naskh-arabic',
      subsets: ['arabic', 'latin'],
      weights: [400, 700],
      fallback: 'serif',
    },
    display: {
      from: '@fontsource/ibm-plex-sans-arabic',
      subsets: ['arabic', 'latin'],
      weights: [600],
      fallback: 'sans-serif',
    },
  },
  card: { background: 'band', ink: 'band-ink', inkMuted: 'band-muted', accent: 'band-accent', faces: [] },
};
