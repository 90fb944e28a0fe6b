import type { LandingConfig } from '../../shared/content/landing.ts';
import type { ContentLink } from '../../shared/content/links.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { Shell } from '../../shared/payload/payload.ts';
import type { LayoutName } from '../../shared/routing/routes.ts';
import { SITE_NAME } from '../../shared/site-constants.ts';
import type { Categories } from '../content/content-api.ts';
import type { ContentReader } from '../content/content-reader.ts';

/** Loads the shell: the parts of every page around its content. Rejects like the reads that it needs. */
export async function loadShell(reader: ContentReader, layout: LayoutName): Promise<Shell> {
  const [settings, landing, socials, categories] = await Promise.all([
    reader.settings(),
    reader.landing(),
    reader.socials().catch(() => null),
    layout === 'blog' ? reader.categories() : null,
  ]);
  return shellOf(settings, landing, socials, categories);
}

/** @returns the shell of cached content, however old, without asking the backend: for the page of an error. */
export function cachedShell(reader: ContentReader): Shell | null {
  const settings = reader.peek<Settings>('settings');
  const landing = reader.peek<LandingConfig>('landing');
  return settings ? shellOf(settings, landing ?? null, reader.peek('socials') ?? null, null) : null;
}

/** @returns the site's name: that of the settings, or the constant. */
export function siteNameOf({ siteName }: Pick<Settings, 'siteName'>): string {
  return siteName ?? SITE_NAME;
}

type ShellContent = readonly [
  settings: Settings,
  landing: LandingConfig | null,
  socials: readonly Social[] | null,
  categories: Categories | null,
];

/** The last shell of each layout, and what it was made from. */
const made: Record<LayoutName, { content: ShellContent; shell: Shell } | null> = {
  default: null,
  blog: null,
};

/** The very same shell as long as its content is the very same: what is rendered from it can be kept. */
function shellOf(...content: ShellContent): Shell {
  const [, , , categories] = content;
  const layout = categories ? 'blog' : 'default';
  const last = made[layout];
  if (last && content.every((value, index) => value === last.content[index])) return last.shell;
  const shell = makeShell(...content);
  made[layout] = { content, shell };
  return shell;
}

function makeShell(...[settings, landing, socials, categories]: ShellContent): Shell {
  return {
    siteName: siteNameOf(settings),
    headerLinks: settings.headerLinks,
    footerLinks: settings.footerLinks,
    socials: footerSocials(socials ?? [], settings),
    subscribeSocials: landing?.subscribeBlockSocials ?? [],
    categories: (categories?.list ?? []).map(({ id, name, slug }) => ({ id, name, slug })),
  };
}

/** The rows of `/api/socials` have no title, so the address gives the network's name. */
function footerSocials(socials: readonly Social[], settings: Settings): readonly ContentLink[] {
  if (socials.length === 0)
    return settings.socials.map(({ title, link, icon }) => ({ title, href: link, icon }));
  return socials.map(({ link, icon }) => ({
    title: settings.socials.find(social => social.link === link)?.title ?? networkName(link),
    href: link,
    icon,
  }));
}

function networkName(link: string): string {
  return URL.canParse(link) ? new URL(link).hostname.replace(/^www\./, '') : link;
}
