import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentSecurityPolicy as helmetPolicy } from 'helmet';
import type { Config } from '../../config/config.ts';
import type { Fields } from '../ready-head.ts';
import type { SiteOrigin } from '../request/request-origin.ts';

export const REPORT_PATH = '/csp-reports';
export const REPORT_GROUP = 'csp';

type Directives = Record<string, string[]>;

/** An origin without `;` and `,`, which would end a directive or the policy. URL parsers accept both. */
const POLICY_ORIGIN = /^https?:\/\/[^\s;,']+$/;

interface PolicySources {
  styles: readonly string[];
  scripts: readonly string[];
  origin: SiteOrigin;
}

export function isSecure({ publicOrigin }: Pick<Config, 'publicOrigin'>): boolean {
  return publicOrigin?.startsWith('https:') ?? false;
}

/** Builds a policy (CSP Level 3) without inline scripts and styles. Inline JSON needs no permission. */
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
    // Allow players on every page, because the first page's policy applies to the whole visit.
    ...(embedProviders.length > 0 && {
      'frame-src': embedProviders.map(({ player }) => new URL(player).origin),
    }),
    'font-src': ["'self'", ...styleOrigins],
    'manifest-src': ["'self'"],
    // Allow third-party scripts to connect to their servers.
    'connect-src': ["'self'", ...scriptOrigins],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    ...trustedTypes(scripts.length, scriptOrigins.length),
    'report-uri': [REPORT_PATH],
    // Use `report-to` over HTTPS only. Browsers that know it ignore `report-uri`.
    ...(isSecure(config) && { 'report-to': [REPORT_GROUP] }),
  });
}

const POLICY_HEADER = 'Content-Security-Policy';
const NO_FRAME = "frame-ancestors 'none'";

export function framedBy(policy: string, origins: readonly string[]): string {
  return origins.length === 0 ? policy : policy.replace(NO_FRAME, `frame-ancestors ${origins.join(' ')}`);
}

export function allowFrames(res: ServerResponse, origins: readonly string[]): void {
  if (origins.length === 0) return;
  // Remove the header, which only old browsers need. Others follow `frame-ancestors`.
  res.removeHeader('X-Frame-Options');
  res.setHeader(POLICY_HEADER, framedBy(String(res.getHeader(POLICY_HEADER)), origins));
}

export function framedFields(fields: Fields, origins: readonly string[]): Fields {
  if (origins.length === 0) return fields;
  return fields
    .filter(([name]) => name !== 'X-Frame-Options')
    .map(([name, value]) => [name, name === POLICY_HEADER ? framedBy(value, origins) : value]);
}

/** Formats a policy with helmet, and adds a space between directives. */
function headerOf(directives: Directives): string {
  const unique = Object.entries(directives).map(([name, values]) => [name, [...new Set(values)]]);
  const policy = helmetPolicy({ useDefaults: false, directives: Object.fromEntries(unique) });
  return collectHeaders(policy)['Content-Security-Policy']?.replaceAll(';', '; ') ?? '';
}

/** Requires Trusted Types, unless there are third-party scripts, which may not support them. */
function trustedTypes(scripts: number, foreignScripts: number): Directives {
  if (foreignScripts > 0) return {};
  return {
    'require-trusted-types-for': ["'script'"],
    ...(scripts === 0 && { 'trusted-types': ["'none'"] }),
  };
}

export function foreignOrigins(addresses: readonly string[], origin: SiteOrigin): string[] {
  const base = origin ?? 'http://site.invalid';
  const origins = addresses.map(address => URL.parse(address, base)?.origin);
  const own = URL.parse(base)?.origin;
  const isForeign = (found: string | undefined): found is string =>
    found !== undefined && found !== own && POLICY_ORIGIN.test(found);
  return [...new Set(origins)].filter(isForeign);
}

type HeaderMiddleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** @returns the headers that a middleware of helmet sets. Passes it a response that only collects them. */
export function collectHeaders(middleware: HeaderMiddleware): Record<string, string> {
  const collected: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      collected[name] = value;
    },
    removeHeader: () => {},
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, error => {
    if (error) throw error;
  });
  return collected;
}
