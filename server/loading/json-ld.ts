import type { Article, Author } from '../../shared/content/blog.ts';
import type { Entry } from '../../shared/content/entries.ts';
import type { Breadcrumb } from '../../shared/content/links.ts';
import type { Question } from '../../shared/content/rich-text.ts';
import type { Shown } from '../../shared/content/seo.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { siteRoutes } from '../../site/routes.ts';
import type { ContentReader } from '../content/reading/content-reader.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import { plainText } from '../rich-text/nodes/read-rich-text.ts';
import { isShareable } from '../wire/is-scaled.ts';
import { inOneLine, siteNameOf } from './shell.ts';

// Builds JSON-LD blocks by schema.org as JSON strings. Addresses are absolute, so a page without an origin
// has no block.

const block = (type: string, fields: object) =>
  JSON.stringify({ '@context': 'https://schema.org', '@type': type, ...fields });

/** @param picture the share picture, for an article without a cover. */
export function articleJsonLd(
  article: Omit<Shown<Article>, 'questions' | 'tags'> & {
    readonly tags: readonly { readonly name: string }[];
  },
  picture: string,
  publisher: Organization,
  path: string,
  origin: SiteOrigin,
): string {
  const { author, tags, date, updatedAt, cover } = article;
  const image = cover && isShareable(cover) ? cover.src : picture;
  return block('BlogPosting', {
    headline: article.title,
    description: article.description ?? undefined,
    datePublished: date,
    // If the date is after the last change, the article has not changed since its publication.
    dateModified: updatedAt !== null && updatedAt > date ? updatedAt : date,
    image: URL.parse(image, origin ?? undefined)?.href,
    author: author
      ? { '@type': 'Person', name: author.name, url: authorAddress(author.slug, origin) }
      : undefined,
    keywords: tags.length > 0 ? tags.map(({ name }) => name) : undefined,
    publisher,
    mainEntityOfPage: origin === null ? undefined : origin + path,
  });
}

export function serviceJsonLd(
  { title, description, cover }: Pick<Entry, 'title' | 'description' | 'cover'>,
  provider: Organization,
  path: string,
  origin: SiteOrigin,
): string {
  return block('Service', {
    name: title,
    serviceType: title,
    description: description ?? undefined,
    image: cover ? URL.parse(cover.src, origin ?? undefined)?.href : undefined,
    url: origin === null ? undefined : origin + path,
    provider,
  });
}

export function personJsonLd(author: Author, path: string, origin: SiteOrigin): string {
  return block('Person', {
    name: author.name,
    jobTitle: author.position ?? undefined,
    description: author.description ?? undefined,
    image: author.image ? URL.parse(author.image.src, origin ?? undefined)?.href : undefined,
    url: origin === null ? undefined : origin + path,
  });
}

function authorAddress(slug: string | null, origin: SiteOrigin): string | undefined {
  return slug === null || origin === null ? undefined : origin + pathTo(siteRoutes.author, { slug });
}

export function breadcrumbsJsonLd(
  breadcrumbs: readonly Breadcrumb[],
  path: string,
  origin: SiteOrigin,
): string[] {
  if (breadcrumbs.length < 2 || origin === null) return [];
  return [
    block('BreadcrumbList', {
      itemListElement: breadcrumbs.map(({ title, href }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: title,
        item: origin + (href ?? path),
      })),
    }),
  ];
}

export function faqJsonLd(questions: readonly Question[]): string[] {
  if (questions.length === 0) return [];
  return [
    block('FAQPage', {
      mainEntity: questions.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: plainText(answer) },
      })),
    }),
  ];
}

/** Makes addresses in an editor's block absolute, as search engines require. */
export function absoluteJsonLd(written: string, origin: SiteOrigin): string {
  return JSON.stringify(JSON.parse(written), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith('/uploads/') ? (origin ?? '') + value : value,
  );
}

/** The icon, in place of a missing logo. Search engines accept SVG files of any size. */
const ICON = '/favicon.svg';

export type Organization = Awaited<ReturnType<typeof readOrganization>>;

export async function readOrganization(reader: ContentReader, origin: SiteOrigin) {
  const [settings, socials] = await Promise.all([reader.settings(), reader.socials()]);
  const links = [...settings.socials, ...socials].map(({ link }) => link);
  const profiles = [...new Set(links)].filter(link => /^https?:/.test(link));
  return {
    '@type': 'Organization',
    // One id on all pages shows search engines that they name one company.
    '@id': origin === null ? undefined : `${origin}/#organization`,
    url: origin === null ? undefined : `${origin}/`,
    logo: origin === null ? undefined : URL.parse(settings.logo?.src ?? ICON, origin)?.href,
    name: siteNameOf(settings, origin),
    legalName: settings.legalName ?? undefined,
    address: inOneLine(settings.address) || undefined,
    vatID: settings.vatId ?? undefined,
    identifier: settings.register ?? undefined,
    sameAs: profiles.length > 0 ? profiles : undefined,
  };
}

/** Leaves out the company's social profiles (`sameAs`), which only the landing page lists. */
export function asPublisher(organization: Organization): Organization {
  return { ...organization, sameAs: undefined };
}

/** @param blocks an editor's blocks as JSON strings. Each replaces the site's block of the same type. */
export function siteJsonLd(organization: Organization, blocks: readonly string[]): string[] {
  const written = new Set(blocks.flatMap(block => typesIn(JSON.parse(block))));
  const { '@id': id, name, url } = organization;
  const publisher = id === undefined ? undefined : { '@id': id };
  return [organization, { '@type': 'WebSite', name, url, publisher }]
    .filter(({ '@type': type }) => !written.has(type))
    .map(({ '@type': type, ...fields }) => block(type, fields));
}

/** @returns the types in a block, in the items of a list, and in `@graph`. */
function typesIn(block: unknown): string[] {
  if (Array.isArray(block)) return block.flatMap(typesIn);
  if (typeof block !== 'object' || block === null) return [];
  const { '@type': type, '@graph': graph } = block as { '@type'?: unknown; '@graph'?: unknown };
  return [...[type].flat().filter(one => typeof one === 'string'), ...typesIn(graph)];
}
