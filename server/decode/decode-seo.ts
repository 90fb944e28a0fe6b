import type { EntityOf } from '../../shared/content/content-types.ts';
import type { Image } from '../../shared/content/image.ts';
import type { Seo, SeoField, WithSeo } from '../../shared/content/seo.ts';
import { type DecodeContext, inside, lose, quoted } from '../wire/decode-context.ts';
import { isShareable, LEAST_SHARED } from '../wire/is-scaled.ts';

type SeoFields = Partial<Pick<EntityOf<'article'>, SeoField>>;

/** Rules that equal the default of search engines. */
const DEFAULT_RULES: readonly string[] = ['all', 'index', 'follow'];
/** The syntax of a rule, from Google's “Robots meta tag, data-nosnippet, and X-Robots-Tag specifications”. */
const RULE =
  /^(?:noindex|nofollow|none|noarchive|nosnippet|noimageindex|notranslate|indexifembedded|max-snippet:-?\d{1,9}|max-video-preview:-?\d{1,9}|max-image-preview:(?:none|standard|large))$/;

/** Merges SEO fields; the component's win. For null, pages use the entry's own value, such as its title. */
export function withSeo<T extends SeoFields>(entity: T, context: DecodeContext): WithSeo<T> {
  const { seo, seoTitle = null, seoDescription = null, seoImage = null, ...others } = entity;
  const combined: Seo = {
    title: seo?.metaTitle ?? seoTitle,
    description: seo?.metaDescription ?? seoDescription,
    image: seo?.metaImage ?? seoImage,
    canonical: seo?.canonicalURL ?? null,
    robots: robotsRules(seo?.metaRobots ?? null, context),
  };
  const own = seo?.metaImage ? 'seo.metaImage' : 'seoImage';
  reportUnshareable(combined.image, own.split('.').reduce(inside<DecodeContext>, context));
  return { ...others, seo: combined };
}

function reportUnshareable(image: Image | null, context: DecodeContext): void {
  if (image === null || isShareable(image)) return;
  const size = image.width && image.height ? ` of ${image.width} × ${image.height} pixels` : '';
  lose(
    context,
    'value-left-out',
    `the picture${size} is not shown in shared links, which need a PNG or JPEG file of ${LEAST_SHARED.width} × ${LEAST_SHARED.height} pixels or more`,
  );
}

function robotsRules(text: string | null, context: DecodeContext): readonly string[] | null {
  const rules = rulesIn(text);
  const unknown = rules.filter(rule => !RULE.test(rule));
  if (unknown.length > 0)
    lose(
      inside(inside(context, 'seo'), 'metaRobots'),
      'value-left-out',
      `${quoted(unknown.join(', '))} is no rule that search engines know, so pages leave it out`,
    );
  const known = [...new Set(rules.filter(rule => RULE.test(rule)))];
  return known.length > 0 ? known : null;
}

/** Whether rules hide a page from search engines. @param rules the editor's text, or a list of rules. */
export function isHiddenBy(rules: string | readonly string[] | null | undefined): boolean {
  const list = typeof rules === 'string' ? rulesIn(rules) : (rules ?? []);
  return list.includes('noindex') || list.includes('none');
}

function rulesIn(text: string | null): readonly string[] {
  const rules = (text ?? '').toLowerCase().split(',');
  return rules
    .map(rule =>
      rule
        .split(':')
        .map(part => part.trim())
        .join(':'),
    )
    .filter(rule => rule !== '' && !DEFAULT_RULES.includes(rule));
}
