import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.ts';
import type { ProcessLogger } from '../../ops/log.ts';
import type { LogCode } from '../../ops/log-codes.ts';
import { FORWARDED_HEADERS } from '../request/request-origin.ts';

const NOTED_HEADERS = [
  'via',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** The last request that was no cache hit. It shows operators whether proxies and settings agree. */
export class LastRequest {
  #last: { at: number; headers: IncomingHttpHeaders; isSecure: boolean } | null = null;

  note(headers: IncomingHttpHeaders, isSecure: boolean): void {
    this.#last = { at: Date.now(), headers, isSecure };
  }

  /** @returns null before the first request. `at` is in ms since the epoch. */
  get report() {
    if (this.#last === null) return null;
    const { at, headers, isSecure } = this.#last;
    const listOf = (name: string) => String(headers[name] ?? '').split(',');
    return {
      at,
      isSecure,
      headers: NOTED_HEADERS.filter(name => headers[name] !== undefined),
      addresses: headers['x-forwarded-for'] === undefined ? 0 : listOf('x-forwarded-for').length,
      // Show only these two values, because a visitor may send any text.
      protocol: ['https', 'http'].find(word => listOf('x-forwarded-proto')[0]?.trim() === word) ?? null,
    };
  }
}

/** Notes the request, and warns once for each proxy header that contradicts TRUST_PROXY or PUBLIC_URL. */
export function warnOfForwardedHeaders({
  config: { trustProxy, publicOrigin, anyHost, formRateLimit },
  log,
  lastRequest,
}: {
  config: Pick<Config, 'trustProxy' | 'publicOrigin' | 'anyHost' | 'formRateLimit'>;
  log: ProcessLogger;
  lastRequest: Pick<LastRequest, 'note'>;
}): (req: IncomingMessage, isSecure: boolean) => void {
  const logged = new Set<LogCode>();
  function warnOnce(code: LogCode, message: string, fields: object): void {
    if (!logged.has(code)) log.warn({ code, ...fields }, message);
    logged.add(code);
  }
  const lines =
    publicOrigin === null && !anyHost ? 'TRUST_PROXY=1 PUBLIC_URL=https://www.example.com' : 'TRUST_PROXY=1';
  return ({ headers }, isSecure) => {
    lastRequest.note(headers, isSecure);
    const header = trustProxy ? undefined : FORWARDED_HEADERS.find(name => headers[name] !== undefined);
    if (header)
      warnOnce('http-forwarded-ignored', 'a forwarded header was ignored, because TRUST_PROXY is off', {
        header,
        effect: `behind a proxy all visitors are one address: ${formRateLimit} form posts in ten minutes close the forms for all`,
        remedy: `set ${lines} if one proxy is in front of the site, or the number or the addresses of the proxies; nothing if visitors reach the site directly`,
      });
    const addresses = String(headers['x-forwarded-for'] ?? '').split(',').length;
    // For a list of addresses in TRUST_PROXY the number is NaN, and the comparison is false.
    if (trustProxy && addresses > Number(trustProxy))
      warnOnce('http-too-many-proxies', 'X-Forwarded-For has more addresses than TRUST_PROXY expects', {
        addresses,
        expected: trustProxy,
        remedy: `set TRUST_PROXY to the number of proxies in front: with too few, visitors behind a proxy share one limit; nothing if it is ${trustProxy}, because visitors can send the header, too`,
      });
    if (publicOrigin?.startsWith('http:') && isSecure)
      warnOnce('http-proxy-reports-https', 'a proxy reports https, and PUBLIC_URL is http', {
        remedy: `set PUBLIC_URL=${publicOrigin.replace('http:', 'https:')}: links, canonical addresses and the sitemap lead to http, and there is no HSTS`,
      });
  };
}
