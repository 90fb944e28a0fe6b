/** The rules of the site that its CMS applies where editors type, for `cms/src/site/site-rules.js` (`build/cms/bundle-site-rules.ts`). */
export { consentSentence } from '../server/content/decode/decode-consent.ts';
export { atEntry } from '../server/content/decode/decode-context.ts';
export { entityDecoder } from '../server/content/decode/decode-entity.ts';
export { positions } from '../server/content/decode/decode-landing.ts';
export { DEFAULT_PROVIDERS, embedAt, providersIn } from '../server/content/embeds/embed-providers.ts';
export { NO_CATEGORY } from '../server/content/entry-path.ts';
export { buildRedirectTable } from '../server/content/redirects/redirect-table.ts';
export { siteRedirects } from '../server/content/redirects/site-redirects.ts';
export { sectionElements } from '../server/content/rich-text/section-kinds.ts';
export {
  checkLines,
  checkMarkdown,
  checkSource,
  isHtml,
} from '../server/content/rich-text/source-bounds.ts';
export { fixedAddressOf } from '../server/content/slugs/fixed-addresses.ts';
export { slugOfName } from '../server/content/slugs/slug-of-name.ts';
export { contentTypes } from '../shared/content/content-types.ts';
export { CATALOGUE_NAMES } from '../shared/labels/page-language.ts';
export { matchRoute } from '../shared/routing/match-route.ts';
export { pathKey } from '../shared/routing/redirects.ts';
export { routeTable } from '../shared/routing/routes.ts';
