import type { Brand } from '../../shared/brand.ts';

export const brand: Brand = {
  logo: { hasName: false },
  surfaces: {
    light: ['#faf7f0', '#fffdf9', '#f2ede2'],
    dark: ['#13140f', '#1b1c16', '#0d0e0a'],
  },
};
