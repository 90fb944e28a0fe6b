import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../../config/config.ts';
import type { Fields } from '../ready-head.ts';
import {
  collectHeaders,
  contentSecurityPolicy,
  isSecure,
  REPORT_GROUP,
  REPORT_PATH,
} from './content-security-policy.ts';

const OF_PLAYERS = ['autoplay', 'encrypted-media'];
const UNUSED_FEATURES = [
  ...['accelerometer', 'camera', 'display-capture'],
  ...['geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
];

/** Builds HSTS (RFC 6797). Preload lists require a year and the subdomains. */
function strictTransport(config: Config) {
  const { hsts } = config;
  if (!isSecure(config) || hsts === 'off') return false;
  return {
    maxAge: 31_536_000,
    includeSubDomains: hsts === 'subdomains' || hsts === 'preload',
    preload: hsts === 'preload',
  };
}

/** Headers that browsers read only with documents (docs/security.md). */
export const OF_DOCUMENTS: ReadonlySet<string> = new Set([
  ...['Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster', 'Permissions-Policy', 'Referrer-Policy'],
  ...['Reporting-Endpoints', 'X-Frame-Options'],
]);

const POLICY = 'Content-Security-Policy';
/** A policy for data. Data that a browser shows as a document loads nothing and opens in no frame. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function dataHeaders(headers: Fields): Fields {
  return headers
    .filter(([name]) => !OF_DOCUMENTS.has(name))
    .map(([name, value]) => [name, name === POLICY ? DATA_POLICY : value]);
}

/** Runs helmet once, because running it for each request would cost a quarter of the throughput. */
export function securityHeaders(config: Config): Fields {
  const headers: [string, string][] = Object.entries(
    collectHeaders(
      helmet({
        contentSecurityPolicy: false,
        crossOriginEmbedderPolicy: false,
        crossOriginResourcePolicy: { policy: 'same-origin' },
        // Omit headers for Flash, Internet Explorer, former XSS filters, and the prefetching of DNS.
        xPermittedCrossDomainPolicies: false,
        xDownloadOptions: false,
        xXssProtection: false,
        xDnsPrefetchControl: false,
        referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
        strictTransportSecurity: strictTransport(config),
        xFrameOptions: { action: 'deny' },
      }),
    ),
  );
  const denied =
    config.embedProviders.length > 0 ? UNUSED_FEATURES : [...UNUSED_FEATURES, ...OF_PLAYERS].toSorted();
  headers.push(
    [POLICY, contentSecurityPolicy(config, { styles: [], scripts: [], origin: null })],
    ['Permissions-Policy', denied.map(feature => `${feature}=()`).join(', ')],
  );
  if (isSecure(config)) headers.push(['Reporting-Endpoints', `${REPORT_GROUP}="${REPORT_PATH}"`]);
  if (!config.siteIndexing || config.anyHost) headers.push(['X-Robots-Tag', 'noindex']);
  return headers;
}

/** Sets the security headers. A page replaces the policy if the settings list stylesheets or scripts. */
export function setSecurityHeaders(headers: Fields): RequestHandler {
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
