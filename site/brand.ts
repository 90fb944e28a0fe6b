/** The brand, for the engine. */
export { brand } from './brand/brand.ts';
