/**
 * The rules of the site that its CMS applies where editors type, for `cms/src/site/site-rules.js`
 * (`build/cms/write-schemas.ts`).
 */

export { fixedAddressOf } from '../server/addresses/fixed-addresses.ts';
export { buildRedirectTable } from '../server/addresses/redirect-table.ts';
export { slugOfName } from '../server/addresses/slug-of-name.ts';
export { DEFAULT_PROVIDERS, providersIn } from '../server/config/embed-providers.ts';
export { WORDS } from '../site/all-words.ts';
export { blocks } from '../site/blocks.ts';
export { siteRedirects } from '../site/redirects.ts';
export { mailWords } from '../site/words/mails.ts';

import { withoutRelation } from '../server/content/slugs/entry-path.ts';
import { siteTypes } from '../site/types.ts';

export { entityDecoder } from '../server/decode/decode-entity.ts';
export { positions } from '../server/decode/decode-landing.ts';
export { consentSentence } from '../server/decode/decode-settings.ts';
export { sectionElements } from '../server/rich-text/sources/section-kinds.ts';
export {
  checkLines,
  checkMarkdown,
  checkSource,
  isHtml,
} from '../server/rich-text/sources/source-bounds.ts';
export { embedAt } from '../server/rich-text/tree/embeds.ts';
export { atEntry } from '../server/wire/decode-context.ts';
export { descriptions } from '../shared/content/content-types.ts';
export { MAX_LENGTHS } from '../shared/forms/form-limits.ts';
export { CATALOGUE_NAMES, catalogueFor } from '../shared/labels/page-language.ts';
export { matchRoute } from '../shared/routing/match-route.ts';
export { pathKey } from '../shared/routing/redirects.ts';
export { routeTable } from '../shared/routing/routes.ts';

export const NO_CATEGORY = withoutRelation(siteTypes.article, 'category');
