import type { RequestHandler } from 'express';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { Config } from '../config/config.ts';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import { type LanguageParts, languageOfCached } from '../page/resolve/load-page.ts';
import { sendCompressedJson } from '../page-cache/send-compressed.ts';
import { accentOf } from '../wire/accent.ts';

export const SECURITY_TXT = '/.well-known/security.txt';
/** The validity after the start of the process. RFC 9116, 2.5.5 recommends less than a year. */
const VALID_MONTHS = 7;

interface SecurityTxtParts extends ReaderParts, LanguageParts {
  readonly config: Pick<Config, 'securityContact' | 'securityPolicy' | 'publicOrigin'>;
}

/** Serves security.txt (RFC 9116). `Expires` passes if the process runs for half a year. */
export function securityTxt(parts: SecurityTxtParts): RequestHandler {
  const { securityContact, securityPolicy, publicOrigin } = parts.config;
  if (securityContact.length === 0) return (_req, _res, next) => next();
  const now = new Date();
  // Expire at the beginning of a month, so that two exports in one month write the same file.
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + VALID_MONTHS)).toISOString();
  return (_req, res) => {
    const { language } = new Intl.Locale(languageOfCached(parts, readerFor(parts, res)).page.locale);
    const fields = [
      ...securityContact.map(contact => ['Contact', contact]),
      ['Expires', expires],
      ...(publicOrigin === null ? [] : [['Canonical', publicOrigin + SECURITY_TXT]]),
      ...(securityPolicy === null ? [] : [['Policy', securityPolicy]]),
      // Most people who report vulnerabilities write English.
      ['Preferred-Languages', [...new Set([language, 'en'])].join(', ')],
    ];
    const text = fields.map(([name, value]) => `${name}: ${value}\n`).join('');
    res.set('Cache-Control', 'public, max-age=86400').type('text/plain').send(text);
  };
}

/** Serves the stylesheet of an accent colour. Takes the colour from the address, not from the settings. */
export function accentStylesheet(): RequestHandler {
  return (req, res, next) => {
    const [, colour = ''] = /^\/accent\/([0-9a-f]{6})-/.exec(req.path) ?? [];
    const accent = accentOf(`#${colour}`);
    if (typeof accent === 'string') return next();
    // Another build may link to the colour with another hash. Do not let its pages cache this stylesheet.
    const isCurrent = accent.address === req.path;
    res
      .set('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-store')
      .type('text/css')
      .send(accent.css);
  };
}

interface BuildParts {
  readonly manifest: BuildManifest;
}

/** `/builds/latest.json` names the running build for browsers, which poll it. */
export function latestBuild({ manifest: { id, timestamp } }: BuildParts): RequestHandler {
  return (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ id, timestamp });
  };
}

/** `/builds/meta/{id}.json` lists the chunks of each route. */
export function buildChunks({ manifest: { id, timestamp, routes } }: BuildParts): RequestHandler {
  return async (req, res, next) => {
    if (req.params.file !== `${id}.json`) return next();
    res.set('Cache-Control', 'public, max-age=31536000, immutable');
    await sendCompressedJson(req, res, { id, timestamp, routes });
  };
}
