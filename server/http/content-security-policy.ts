import type { Config } from '../config.ts';

/** Where browsers report what a policy has kept from happening, and the name of that place in `Reporting-Endpoints`. */
export const REPORT_PATH = '/csp-reports';
export const REPORT_GROUP = 'csp';

export interface PolicySources {
  /** Stylesheets and scripts of the settings. */
  styles: readonly string[];
  scripts: readonly string[];
  /** The site's own, as the request has it: an address below it is 'self'. */
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
  const directives: [name: string, ...values: string[]][] = [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...scriptOrigins],
    ['style-src', "'self'", ...styleOrigins],
    ['img-src', "'self'", ...mediaOrigins],
    ['media-src', "'self'", ...mediaOrigins],
    ['font-src', "'self'", ...styleOrigins],
    // A script from elsewhere that may not call home is of no use.
    ['connect-src', "'self'", ...scriptOrigins],
    ['form-action', "'self'"],
    ['frame-ancestors', "'none'"],
    ['base-uri', "'none'"],
    ...trustedTypes(scripts.length, scriptOrigins.length),
    ['report-uri', REPORT_PATH],
    // Over plain HTTP browsers heed this and send nothing; without it they go by the line above.
    ...(isSecure(config) ? [['report-to', REPORT_GROUP] as [string, string]] : []),
  ];
  return directives.map(([name, ...values]) => `${name} ${[...new Set(values)].join(' ')}`).join('; ');
}

/**
 * Trusted Types: no text becomes script. Scripts from elsewhere are not written for that; one of the site's own may have
 * policies, and without any script of the settings nobody may.
 */
function trustedTypes(scripts: number, foreignScripts: number): [name: string, ...values: string[]][] {
  if (foreignScripts > 0) return [];
  return [
    ['require-trusted-types-for', "'script'"],
    ...(scripts > 0 ? [] : [['trusted-types', "'none'"] as [string, string]]),
  ];
}

/** @returns the origins of addresses that are not the site's own. */
export function foreignOrigins(addresses: readonly string[], origin: string): string[] {
  const origins = addresses.map(address => URL.parse(address, origin || 'http://site.invalid')?.origin);
  const own = URL.parse(origin || 'http://site.invalid')?.origin;
  return [...new Set(origins)].filter(found => found !== undefined && found !== own) as string[];
}
