/** The brand that the engine reads: `BRAND_DIR` chooses another folder for a build. */
export { brand } from './brand/brand.ts';
