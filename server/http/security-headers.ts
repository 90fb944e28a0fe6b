import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Config } from '../config.ts';
import { contentSecurityPolicy, isSecure, REPORT_GROUP, REPORT_PATH } from './content-security-policy.ts';

/** What no page of this site asks for, and no script in it shall. */
const UNUSED_FEATURES = [
  ...['accelerometer', 'autoplay', 'browsing-topics', 'camera', 'display-capture', 'encrypted-media'],
  ...['geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
];

/**
 * @returns the security headers of every answer, name and value. helmet computes them once: doing so for each request
 * costs a quarter of the throughput.
 */
export function securityHeaders(config: Config): readonly (readonly [name: string, value: string])[] {
  const headers: [string, string][] = Object.entries(
    helmetHeaders({
      contentSecurityPolicy: false,
      crossOriginEmbedderPolicy: false,
      crossOriginResourcePolicy: { policy: 'same-origin' },
      // They speak to Flash and to Internet Explorer.
      xPermittedCrossDomainPolicies: false,
      xDownloadOptions: false,
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      strictTransportSecurity: isSecure(config) ? { maxAge: 31_536_000 } : false,
      xFrameOptions: { action: 'deny' },
    }),
  );
  headers.push(
    ['Content-Security-Policy', contentSecurityPolicy(config, { styles: [], scripts: [], origin: '' })],
    ['Permissions-Policy', UNUSED_FEATURES.map(feature => `${feature}=()`).join(', ')],
  );
  if (isSecure(config)) headers.push(['Reporting-Endpoints', `${REPORT_GROUP}="${REPORT_PATH}"`]);
  if (!config.siteIndexing) headers.push(['X-Robots-Tag', 'noindex']);
  return headers;
}

/** Runs helmet against a response that only collects. */
function helmetHeaders(options: Parameters<typeof helmet>[0]): Record<string, string> {
  const collected: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      collected[name] = value;
    },
    removeHeader: () => {},
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, error => {
    if (error) throw error;
  });
  return collected;
}
