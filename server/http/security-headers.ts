import helmet from 'helmet';
import type { Config } from '../config.ts';
import { collectHeaders } from './collect-headers.ts';
import { contentSecurityPolicy, isSecure, REPORT_GROUP, REPORT_PATH } from './content-security-policy.ts';

/** Browser features that no page uses. `Permissions-Policy` denies them to every script. */
const UNUSED_FEATURES = [
  ...['accelerometer', 'autoplay', 'camera', 'display-capture', 'encrypted-media'],
  ...['geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
];

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

/**
 * @returns the security headers of every answer, name and value. helmet runs once: running it for each request would
 * cost a quarter of the throughput.
 */
export function securityHeaders(config: Config): readonly (readonly [name: string, value: string])[] {
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
    ['Content-Security-Policy', contentSecurityPolicy(config, { styles: [], scripts: [], origin: null })],
    ['Permissions-Policy', UNUSED_FEATURES.map(feature => `${feature}=()`).join(', ')],
  );
  if (isSecure(config)) headers.push(['Reporting-Endpoints', `${REPORT_GROUP}="${REPORT_PATH}"`]);
  if (!config.siteIndexing || config.anyHost) headers.push(['X-Robots-Tag', 'noindex']);
  return headers;
}
