import type { ServerResponse } from 'node:http';
import { contentSecurityPolicy as helmetPolicy } from 'helmet';
import type { Config } from '../config.ts';
import { collectHeaders } from './collect-headers.ts';
import type { SiteOrigin } from './request-origin.ts';

/** The address to which browsers report violations of the policy, and its name in `Reporting-Endpoints`. */
export const REPORT_PATH = '/csp-reports';
export const REPORT_GROUP = 'csp';

type Directives = Record<string, string[]>;

/** An origin that may stand in a policy. `;` would end the directive and `,` the policy, and URL parsers accept both in a host name. */
const POLICY_ORIGIN = /^https?:\/\/[^\s;,']+$/;

export interface PolicySources {
  /** Addresses of the stylesheets and scripts that the settings name. */
  styles: readonly string[];
  scripts: readonly string[];
  /** Addresses below the site's own origin are covered by 'self'. */
  origin: SiteOrigin;
}

/** @returns whether the site is known to be served over HTTPS. */
export function isSecure({ publicOrigin }: Pick<Config, 'publicOrigin'>): boolean {
  return publicOrigin?.startsWith('https:') ?? false;
}

/**
 * @returns the policy of a page (CSP Level 3). It allows only the sources that the page needs, no inline script and no inline style.
 * JSON in a script element is data and needs no permission.
 */
export function contentSecurityPolicy(
  config: Pick<Config, 'publicOrigin' | 'mediaOrigins' | 'embedProviders'>,
  { styles, scripts, origin }: PolicySources,
): string {
  const { mediaOrigins, embedProviders } = config;
  const styleOrigins = foreignOrigins(styles, origin);
  const scriptOrigins = foreignOrigins(scripts, origin);
  return headerOf({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scriptOrigins],
    'style-src': ["'self'", ...styleOrigins],
    'img-src': ["'self'", ...mediaOrigins],
    'media-src': ["'self'", ...mediaOrigins],
    // The policy of the first page of a visit rules all pages after it, so every page names the players.
    ...(embedProviders.length > 0 && {
      'frame-src': embedProviders.map(({ player }) => new URL(player).origin),
    }),
    'font-src': ["'self'", ...styleOrigins],
    // Foreign scripts send requests to their own servers.
    'connect-src': ["'self'", ...scriptOrigins],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    ...trustedTypes(scripts.length, scriptOrigins.length),
    'report-uri': [REPORT_PATH],
    // Browsers that know `report-to` ignore `report-uri`, and report over HTTPS only. So a site on plain HTTP leaves `report-to` out.
    ...(isSecure(config) && { 'report-to': [REPORT_GROUP] }),
  });
}

const POLICY_HEADER = 'Content-Security-Policy';
const NO_FRAME = "frame-ancestors 'none'";

/** @returns a policy of this site that allows pages of some origins to show the answer in a frame. */
export function framedBy(policy: string, origins: readonly string[]): string {
  return origins.length === 0 ? policy : policy.replace(NO_FRAME, `frame-ancestors ${origins.join(' ')}`);
}

/** Allows pages of some origins to show an answer in a frame. */
export function allowFrames(res: ServerResponse, origins: readonly string[]): void {
  if (origins.length === 0) return;
  // Browsers ignore this header beside `frame-ancestors`, but for old ones.
  res.removeHeader('X-Frame-Options');
  res.setHeader(POLICY_HEADER, framedBy(String(res.getHeader(POLICY_HEADER)), origins));
}

/** @returns the value of the header as helmet writes it, with a space between directives. */
function headerOf(directives: Directives): string {
  const unique = Object.entries(directives).map(([name, values]) => [name, [...new Set(values)]]);
  const policy = helmetPolicy({ useDefaults: false, directives: Object.fromEntries(unique) });
  return collectHeaders(policy)['Content-Security-Policy']?.replaceAll(';', '; ') ?? '';
}

/**
 * Trusted Types keep text from becoming script. Foreign scripts are not written for Trusted Types, so one of them in the settings turns
 * the check off. Scripts in the settings from the site's own origin may create Trusted Types policies. When the
 * settings name no script, no such policy may be created.
 */
function trustedTypes(scripts: number, foreignScripts: number): Directives {
  if (foreignScripts > 0) return {};
  return {
    'require-trusted-types-for': ["'script'"],
    ...(scripts === 0 && { 'trusted-types': ["'none'"] }),
  };
}

/** @returns the origins of addresses that are not the site's own and fit into a policy. */
export function foreignOrigins(addresses: readonly string[], origin: SiteOrigin): string[] {
  const base = origin ?? 'http://site.invalid';
  const origins = addresses.map(address => URL.parse(address, base)?.origin);
  const own = URL.parse(base)?.origin;
  const isForeign = (found: string | undefined): found is string =>
    found !== undefined && found !== own && POLICY_ORIGIN.test(found);
  return [...new Set(origins)].filter(isForeign);
}
