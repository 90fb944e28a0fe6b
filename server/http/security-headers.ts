import helmet from 'helmet';
import type { Config } from '../config.ts';
import { collectHeaders } from './collect-headers.ts';
import { contentSecurityPolicy, isSecure, REPORT_GROUP, REPORT_PATH } from './content-security-policy.ts';
import type { Fields } from './ready-head.ts';

/** Browser features that players of films need in their frames. */
const OF_PLAYERS = ['autoplay', 'encrypted-media'];
/** Browser features that no page uses. `Permissions-Policy` denies them to every script. */
const UNUSED_FEATURES = [
  ...['accelerometer', 'camera', 'display-capture'],
  ...['geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
];

/** Without the header a feature belongs to the page, which hands it to the frames that it opens. */
function deniedFeatures({ embedProviders }: Config): readonly string[] {
  return embedProviders.length > 0 ? UNUSED_FEATURES : [...UNUSED_FEATURES, ...OF_PLAYERS].toSorted();
}

/** @returns helmet's option for `Strict-Transport-Security` (RFC 6797). The preload lists ask for a year, and for the subdomains. */
function strictTransport(config: Config) {
  const { hsts } = config;
  if (!isSecure(config) || hsts === 'off') return false;
  return {
    maxAge: 31_536_000,
    includeSubDomains: hsts === 'subdomains' || hsts === 'preload',
    preload: hsts === 'preload',
  };
}

/** Headers that browsers read with documents alone. An answer that is no document, and a 304, need none of them (docs/security.md). */
export const OF_DOCUMENTS: ReadonlySet<string> = new Set([
  ...['Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster', 'Permissions-Policy', 'Referrer-Policy'],
  ...['Reporting-Endpoints', 'X-Frame-Options'],
]);

const POLICY = 'Content-Security-Policy';
/** The policy of data. If a browser showed the answer as a document after all, it could load nothing and be in no frame. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @returns the security headers of an answer that is no document, from those of every answer. */
export function dataHeaders(headers: Fields): Fields {
  return headers
    .filter(([name]) => !OF_DOCUMENTS.has(name))
    .map(([name, value]) => [name, name === POLICY ? DATA_POLICY : value]);
}

/**
 * @returns the security headers of every answer, name and value. helmet runs once: running it for each request would
 * cost a quarter of the throughput.
 */
export function securityHeaders(config: Config): Fields {
  const headers: [string, string][] = Object.entries(
    collectHeaders(
      helmet({
        // `contentSecurityPolicy` builds the policy, which needs the configuration.
        contentSecurityPolicy: false,
        crossOriginEmbedderPolicy: false,
        crossOriginResourcePolicy: { policy: 'same-origin' },
        // For Flash, for Internet Explorer, for a filter that no browser has had since 2022, and for what browsers do over HTTPS anyway.
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
  headers.push(
    [POLICY, contentSecurityPolicy(config, { styles: [], scripts: [], origin: null })],
    [
      'Permissions-Policy',
      deniedFeatures(config)
        .map(feature => `${feature}=()`)
        .join(', '),
    ],
  );
  if (isSecure(config)) headers.push(['Reporting-Endpoints', `${REPORT_GROUP}="${REPORT_PATH}"`]);
  if (!config.siteIndexing || config.anyHost) headers.push(['X-Robots-Tag', 'noindex']);
  return headers;
}
