/** The site's brand. A build with `BRAND_DIR` takes it from another folder. */
export { brand } from './brand/brand.ts';
