import type { Settings, Social } from '../../shared/content/settings.ts';
import type { ContentReader } from '../content/reading/content-reader.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import { inOneLine, siteNameOf } from './shell.ts';

export interface Organization {
  readonly '@type': 'Organization';
  /** One id on all pages shows search engines that they name one company. Absent without an origin. */
  readonly '@id'?: string | undefined;
  readonly name: string;
  readonly legalName?: string | undefined;
  readonly address?: string | undefined;
  readonly vatID?: string | undefined;
  /** The entry in a register. */
  readonly identifier?: string | undefined;
  readonly url?: string | undefined;
  readonly logo?: string | undefined;
  readonly sameAs?: readonly string[] | undefined;
}

/** The icon, in place of a missing logo. Search engines accept SVG files of any size. */
const ICON = '/favicon.svg';

/** Reads the settings, which every page reads anyway. */
export async function readOrganization(reader: ContentReader, origin: SiteOrigin): Promise<Organization> {
  const [settings, socials] = await Promise.all([reader.settings(), reader.socials()]);
  return organizationOf(settings, socials, origin);
}

function organizationOf(settings: Settings, socials: readonly Social[], origin: SiteOrigin): Organization {
  const links = [...settings.socials, ...socials].map(({ link }) => link);
  const profiles = [...new Set(links)].filter(link => /^https?:/.test(link));
  return {
    '@type': 'Organization',
    ...(origin === null
      ? {}
      : {
          '@id': `${origin}/#organization`,
          url: `${origin}/`,
          logo: URL.parse(settings.logo?.src ?? ICON, origin)?.href,
        }),
    name: siteNameOf(settings, origin),
    legalName: settings.legalName ?? undefined,
    address: inOneLine(settings.address) || undefined,
    vatID: settings.vatId ?? undefined,
    identifier: settings.register ?? undefined,
    ...(profiles.length > 0 ? { sameAs: profiles } : {}),
  };
}

/** Leaves out the company's profiles, which only the landing page lists. */
export function asPublisher({ sameAs: _, ...organization }: Organization): Organization {
  return organization;
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
