import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';

/** Address of the file (RFC 9116, 3). */
export const SECURITY_TXT = '/.well-known/security.txt';
/** How long after a start of the process the contact may be relied on, in ms. RFC 9116, 2.5.5 recommends less than a year. */
const VALID_MS = 180 * 24 * 60 * 60 * 1_000;

/**
 * `/.well-known/security.txt` (RFC 9116) names those who take reports of vulnerabilities; it does not exist without SECURITY_CONTACT. A file of
 * `client/static` with this address is answered in its place.
 *
 * `Expires` counts from the start of the process, because the configuration is read then. A site that nobody has deployed for half a year
 * says so by a date in the past.
 *
 * @param startedAt in ms since the epoch.
 */
export function securityTxt(
  {
    securityContact,
    securityPolicy,
    publicOrigin,
  }: Pick<Config, 'securityContact' | 'securityPolicy' | 'publicOrigin'>,
  startedAt = Date.now(),
): RequestHandler {
  if (securityContact.length === 0) return (_req, _res, next) => next();
  const fields = [
    ...securityContact.map(contact => ['Contact', contact]),
    ['Expires', new Date(startedAt + VALID_MS).toISOString()],
    ...(publicOrigin === null ? [] : [['Canonical', publicOrigin + SECURITY_TXT]]),
    ...(securityPolicy === null ? [] : [['Policy', securityPolicy]]),
    // The language of the site's own texts.
    ['Preferred-Languages', 'en'],
  ];
  const text = fields.map(([name, value]) => `${name}: ${value}\n`).join('');
  return (_req, res) => {
    res.set('Cache-Control', 'public, max-age=86400').type('text/plain').send(text);
  };
}
