import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';
import type { ProcessLogger } from '../ops/log.ts';

/** The headers by which proxies report the client's address, host and protocol (RFC 7239 and its forerunners). */
const FORWARDED_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
];

/**
 * Warns once of forwarded headers while TRUST_PROXY is off. Behind a proxy all visitors then count as one address, so that the form posts of a
 * few close the forms for all. Answers from memory do not come here, but every process has other requests, too.
 */
export function warnOfForwardedHeaders({
  config: { trustProxy, publicOrigin, anyHost, formRateLimit },
  log,
}: {
  config: Pick<Config, 'trustProxy' | 'publicOrigin' | 'anyHost' | 'formRateLimit'>;
  log: ProcessLogger;
}): RequestHandler {
  let isSilent = Boolean(trustProxy);
  const lines =
    publicOrigin === null && !anyHost ? 'TRUST_PROXY=1 PUBLIC_URL=https://www.example.com' : 'TRUST_PROXY=1';
  return ({ headers }, _res, next) => {
    const header = isSilent ? undefined : FORWARDED_HEADERS.find(name => headers[name] !== undefined);
    if (header) {
      isSilent = true;
      log.warn(
        {
          header,
          effect: `behind a proxy all visitors are one address: ${formRateLimit} form posts in ten minutes close the forms for all`,
          remedy: `set ${lines} if one proxy is in front of the site, or the number or the addresses of the proxies; nothing if visitors reach the site directly`,
        },
        'a forwarded header was ignored, because TRUST_PROXY is off',
      );
    }
    next();
  };
}
