import helmet from 'helmet';
import type { Config } from '../config.ts';
import { collectHeaders } from './collect-headers.ts';
import { contentSecurityPolicy, isSecure, REPORT_GROUP, REPORT_PATH } from './content-security-policy.ts';

/** Browser features that no page uses. `Permissions-Policy` denies them to every script. */
const UNUSED_FEATURES = [
  ...['accelerometer', 'autoplay', 'browsing-topics', 'camera', 'display-capture', 'encrypted-media'],
  ...['geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
];

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
        // `X-Permitted-Cross-Domain-Policies` and `X-Download-Options` are for Flash and Internet Explorer.
        xPermittedCrossDomainPolicies: false,
        xDownloadOptions: false,
        referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
        strictTransportSecurity: isSecure(config) ? { maxAge: 31_536_000 } : false,
        xFrameOptions: { action: 'deny' },
      }),
    ),
  );
  headers.push(
    ['Content-Security-Policy', contentSecurityPolicy(config, { styles: [], scripts: [], origin: '' })],
    ['Permissions-Policy', UNUSED_FEATURES.map(feature => `${feature}=()`).join(', ')],
  );
  if (isSecure(config)) headers.push(['Reporting-Endpoints', `${REPORT_GROUP}="${REPORT_PATH}"`]);
  if (!config.siteIndexing) headers.push(['X-Robots-Tag', 'noindex']);
  return headers;
}
