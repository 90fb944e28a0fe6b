import { hasNameInIt, type Image, madePicture } from '../../shared/content/image.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { ContentLink } from '../../shared/content/links.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { Shell, ShellLogo } from '../../shared/payload/shell.ts';
import { brand } from '../../site/brand.ts';
import { LAYOUT_WITH_CATEGORIES } from '../../site/routes.ts';
import { siteTypes } from '../../site/types.ts';
import { MAX_SHOWN_ROWS } from '../content/lists/lists.ts';
import type { ContentReader } from '../content/reading/content-reader.ts';
import type { CategoryLinks } from '../content/reading/read-values.ts';
import { digestOf } from '../content/requests/content-request.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';

const LOGO_RENDITION = '640.webp';
const NAMELESS = 'Website';

/** @param confirms whether subscriptions are confirmed by e-mail. */
export async function loadShell(
  reader: ContentReader,
  layout: string,
  origin: SiteOrigin,
  confirms: boolean,
) {
  const [settings, subscribeSocials, socials, categories] = await Promise.all([
    reader.settings(),
    reader.subscribeSocials(),
    reader.socials(),
    layout === LAYOUT_WITH_CATEGORIES ? reader.categories('used') : null,
  ]);
  const siteName = siteNameOf(settings, origin);
  return withVersion(shellOf(settings, siteName, subscribeSocials, socials, categories, confirms));
}

/** @returns the shell of an error page from cached content of any age. Null without cached settings. */
export function cachedShell(reader: ContentReader, origin: SiteOrigin, confirms: boolean) {
  const settings = reader.cachedSettings();
  const landing = reader.peek<LandingConfig>(siteTypes.landing.path);
  if (!settings) return null;
  const socials = reader.peek<readonly Social[]>(siteTypes.social.path) ?? null;
  const siteName = siteNameOf(settings, origin);
  const subscribeSocials = landing?.subscribeBlockSocials ?? [];
  return withVersion(shellOf(settings, siteName, subscribeSocials, socials, null, confirms));
}

/** @returns the shell, and its digest, which is the cache key of its HTML. */
function withVersion(shell: Shell) {
  return { shell, version: digestOf(JSON.stringify(shell)) };
}

/** @returns the name in the settings, else that of the brand, else the host. */
export function siteNameOf(settings: Pick<Settings, 'siteName'> | null, origin: SiteOrigin): string {
  return settings?.siteName ?? brand.name ?? (origin ? new URL(origin).host : NAMELESS);
}

function shellOf(
  settings: Settings,
  siteName: string,
  subscribeSocials: LandingConfig['subscribeBlockSocials'],
  socials: readonly Social[] | null,
  categories: CategoryLinks | null,
  confirms: boolean,
): Shell {
  const logo = logoOf(settings, ({ scaled, src }) => (scaled ? madePicture(src, LOGO_RENDITION) : src));
  const inFooter = footerSocials(socials ?? [], settings);
  const further = subscribeSocials.filter(({ href }) => inFooter.every(other => other.href !== href));
  return {
    siteName,
    ...(logo && { logo }),
    headerLinks: settings.headerLinks,
    ...(settings.cta && { cta: settings.cta }),
    footerLinks: settings.footerLinks,
    socials: [...inFooter, ...further],
    subscribeSocials,
    privacyLink: settings.privacyLink,
    ...legalOf(settings, siteName),
    ...(settings.subscribeConsent && { subscribeConsent: settings.subscribeConsent }),
    ...(confirms && { confirmsSubscription: true as const }),
    categories: (categories?.list ?? [])
      .slice(0, MAX_SHOWN_ROWS)
      .map(({ id, name, slug }) => ({ id, name, slug })),
  };
}

/** @returns the logo of the settings; null without a readable file. @param srcOf chooses the file to show. */
export function logoOf(
  { logo, logoDark }: Pick<Settings, 'logo' | 'logoDark'>,
  srcOf: (logo: Image) => string,
): ShellLogo | null {
  const sized = (image: Image | null) =>
    image?.width && image.height ? { src: srcOf(image), width: image.width, height: image.height } : null;
  const light = sized(logo);
  if (!light) return null;
  return { light, dark: sized(logoDark) ?? light, hasName: hasNameInIt(light) };
}

function legalOf(settings: Settings, siteName: string): Pick<Shell, 'legal'> {
  const { legalName, address, register, vatId, supervisor, year } = settings;
  const name = year ? `© ${year} ${legalName ?? siteName}` : legalName;
  const parts = [name, inOneLine(address), register, supervisor].flatMap(part => part || []);
  return parts.length > 0 || vatId ? { legal: { parts, vatId } } : {};
}

export function inOneLine(text: string | null): string {
  const lines = (text ?? '').split('\n').flatMap(line => line.trim() || []);
  return lines.join(/\p{Script=Arabic}/u.test(text ?? '') ? '، ' : ', ');
}

/** Adds titles from the settings or the host, because rows of `/api/socials` have none. */
function footerSocials(socials: readonly Social[], settings: Settings): readonly ContentLink[] {
  if (socials.length === 0)
    return settings.socials.map(({ title, link, icon }) => ({ title, href: link, icon }));
  const titles = new Map(settings.socials.map(({ link, title }) => [link, title]));
  return socials.slice(0, MAX_SHOWN_ROWS).map(({ link, icon }) => ({
    title: titles.get(link) ?? networkName(link),
    href: link,
    icon,
  }));
}

function networkName(link: string): string {
  return URL.canParse(link) ? new URL(link).hostname.replace(/^www\./, '') : link;
}
