export interface PolicySources {
  /** Origins from which content may show media. */
  mediaOrigins: readonly string[];
  /** Stylesheets and scripts of the settings. */
  styles: readonly string[];
  scripts: readonly string[];
}

/**
 * @returns the policy of a page (CSP Level 3): nothing but what the page needs, no inline script, no inline style.
 * Blocks of JSON are data, not scripts, and need no permission.
 */
export function contentSecurityPolicy({ mediaOrigins, styles, scripts }: PolicySources): string {
  const directives: [name: string, ...values: string[]][] = [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...originsOf(scripts)],
    ['style-src', "'self'", ...originsOf(styles)],
    ['img-src', "'self'", 'data:', ...mediaOrigins],
    ['media-src', "'self'", ...mediaOrigins],
    ['font-src', "'self'", ...originsOf(styles)],
    ['connect-src', "'self'"],
    ['manifest-src', "'self'"],
    ['form-action', "'self'"],
    ['frame-ancestors', "'none'"],
    ['base-uri', "'none'"],
  ];
  return directives.map(([name, ...values]) => `${name} ${[...new Set(values)].join(' ')}`).join('; ');
}

/** The origins of absolute addresses; the site's own files are covered by 'self'. */
function originsOf(addresses: readonly string[]): string[] {
  return addresses.flatMap(address => (URL.canParse(address) ? new URL(address).origin : []));
}
