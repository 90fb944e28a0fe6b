import type { Article, Author } from '../../shared/content/blog.ts';
import type { Entry } from '../../shared/content/entries.ts';
import type { Breadcrumb } from '../../shared/content/links.ts';
import type { Question } from '../../shared/content/rich-text.ts';
import type { Shown } from '../../shared/content/seo.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { siteRoutes } from '../../site/routes.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import { plainText } from '../rich-text/nodes/read-rich-text.ts';
import { isShareable } from '../wire/is-scaled.ts';
import type { Organization } from './organization-json-ld.ts';

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
