import { contentSecurityPolicy as helmetPolicy } from 'helmet';
import type { Config } from '../config.ts';
import { collectHeaders } from './collect-headers.ts';

/** The address to which browsers report violations of the policy, and its name in `Reporting-Endpoints`. */
export const REPORT_PATH = '/csp-reports';
export const REPORT_GROUP = 'csp';

type Directives = Record<string, string[]>;

/** A host name may hold `;` and `,`, which end a directive and a policy. */
const POLICY_ORIGIN = /^https?:\/\/[^\s;,']+$/;

export interface PolicySources {
  /** Stylesheets and scripts of the settings. */
  styles: readonly string[];
  scripts: readonly string[];
  /** The site's own origin by the request. An address below it is 'self'. */
  origin: string;
}

/** @returns whether the site is known to be served over HTTPS. */
export function isSecure({ publicOrigin }: Pick<Config, 'publicOrigin'>): boolean {
  return publicOrigin?.startsWith('https:') ?? false;
}

/**
 * @returns the policy of a page (CSP Level 3): nothing but what the page needs, no inline script, no inline style.
 * Blocks of JSON are data, not scripts, and need no permission.
 */
export function contentSecurityPolicy(
  config: Pick<Config, 'publicOrigin' | 'mediaOrigins'>,
  { styles, scripts, origin }: PolicySources,
): string {
  const { mediaOrigins } = config;
  const styleOrigins = foreignOrigins(styles, origin);
  const scriptOrigins = foreignOrigins(scripts, origin);
  return headerOf({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scriptOrigins],
    'style-src': ["'self'", ...styleOrigins],
    'img-src': ["'self'", ...mediaOrigins],
    'media-src': ["'self'", ...mediaOrigins],
    'font-src': ["'self'", ...styleOrigins],
    // A foreign script has to reach its own server.
    'connect-src': ["'self'", ...scriptOrigins],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    ...trustedTypes(scripts.length, scriptOrigins.length),
    'report-uri': [REPORT_PATH],
    // Over plain HTTP browsers that know `report-to` send nothing. Without it they use `report-uri`.
    ...(isSecure(config) && { 'report-to': [REPORT_GROUP] }),
  });
}

/** @returns the value of the header as helmet writes it, with a space between directives. */
function headerOf(directives: Directives): string {
  const unique = Object.entries(directives).map(([name, values]) => [name, [...new Set(values)]]);
  const policy = helmetPolicy({ useDefaults: false, directives: Object.fromEntries(unique) });
  return collectHeaders(policy)['Content-Security-Policy']?.replaceAll(';', '; ') ?? '';
}

/**
 * Trusted Types keep text from becoming script. Foreign scripts are not written for them, so they are off with one. The
 * site's own scripts may make policies. Without a script in the settings no policy may be made.
 */
function trustedTypes(scripts: number, foreignScripts: number): Directives {
  if (foreignScripts > 0) return {};
  return {
    'require-trusted-types-for': ["'script'"],
    ...(scripts === 0 && { 'trusted-types': ["'none'"] }),
  };
}

/** @returns the origins of addresses that are not the site's own and fit into a policy. */
export function foreignOrigins(addresses: readonly string[], origin: string): string[] {
  const origins = addresses.map(address => URL.parse(address, origin || 'http://site.invalid')?.origin);
  const own = URL.parse(origin || 'http://site.invalid')?.origin;
  const isForeign = (found: string | undefined): found is string =>
    found !== undefined && found !== own && POLICY_ORIGIN.test(found);
  return [...new Set(origins)].filter(isForeign);
}
