import type { Brand } from '../../shared/brand.ts';

export const brand: Brand = {
  logo: { hasName: false },
};
