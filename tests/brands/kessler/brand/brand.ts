import type { Brand } from '../../../../shared/brand.ts';

export const brand: Brand = {
  name: 'Kessler Fördertechnik',
  logo: { hasName: true },
  surfaces: {
    light: ['#ffffff', '#f6f7f9', '#eceff2'],
    dark: ['#14171b', '#1c2026', '#0e1013'],
  },
  iconBackground: 'accent',
  bar: 'surface',
  // One family of static font files for text and headings.
  faces: {
    text: { from: '@fontsource/barlow-semi-condensed', weights: [400, 600], fallback: 'sans-serif' },
    display: { from: '@fontsource/barlow-semi-condensed', weights: [600], fallback: 'sans-serif' },
  },
  // Cards are light, so they have the logo for light surfaces.
  card: { background: 'surface-sunken', ink: 'ink', inkMuted: 'ink-muted', accent: 'accent', faces: [] },
};
