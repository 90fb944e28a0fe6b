import type { ContentReader } from '../content/reading/content-reader.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import { inOneLine, siteNameOf } from './shell.ts';

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

/** Leaves out the company's profiles, which only the landing page lists. */
export function asPublisher(organization: Organization): Organization {
  return { ...organization, sameAs: undefined };
}

/** @param blocks an editor's blocks as JSON strings. They replace the site's blocks of these types. */
export function siteJsonLd(organization: Organization, blocks: readonly string[]): string[] {
  const written = new Set(blocks.flatMap(block => typesIn(JSON.parse(block))));
  const { '@id': id, name, url } = organization;
  const publisher = id === undefined ? undefined : { '@id': id };
  return [organization, { '@type': 'WebSite', name, url, publisher }]
    .filter(block => !written.has(block['@type']))
    .map(block => JSON.stringify({ '@context': 'https://schema.org', ...block }));
}

/** @returns the types in a block, in the items of a list, and in `@graph`. */
function typesIn(block: unknown): string[] {
  if (Array.isArray(block)) return block.flatMap(typesIn);
  if (typeof block !== 'object' || block === null) return [];
  const { '@type': type, '@graph': graph } = block as { '@type'?: unknown; '@graph'?: unknown };
  return [...[type].flat().filter(one => typeof one === 'string'), ...typesIn(graph)];
}
