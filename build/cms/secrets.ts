import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

export const secret = () => randomBytes(32).toString('base64url');

/** Variables of `cms/.env`, each with a function that makes its value if it is missing. */
export const NEW_VALUES: Readonly<Record<string, () => string>> = {
  APP_KEYS: () => [secret(), secret()].join(','),
  ADMIN_JWT_SECRET: secret,
  API_TOKEN_SALT: secret,
  TRANSFER_TOKEN_SALT: secret,
  ENCRYPTION_KEY: secret,
  JWT_SECRET: secret,
  ADMIN_EMAIL: () => 'admin@example.com',
  // Add a lower-case letter, an upper-case letter and a digit, as Strapi requires.
  ADMIN_PASSWORD: () => `${randomBytes(12).toString('base64url')}aA1`,
  SITE_URL: () => 'http://localhost:3000',
  SITE_TOKEN: secret,
  PREVIEW_TOKEN: secret,
  PREVIEW_SECRET: secret,
  WEBHOOK_SECRET: secret,
  PROBLEMS_TOKEN: secret,
};

export type CmsSettings = Readonly<Record<string, string>>;

/**
 * Completes `.env` of the CMS, and writes the site's variables to `site.env`. Those of `environment` win.
 */
export function ensureSecrets(folder: string, environment: NodeJS.ProcessEnv, cmsUrl: string): CmsSettings {
  const wanted = Object.entries(NEW_VALUES).filter(([name]) => !environment[name]);
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(completeEnv(path.join(folder, '.env'), wanted)))
    settings[name] = environment[name] || (value ?? '');
  for (const name of Object.keys(NEW_VALUES)) settings[name] ||= environment[name] ?? '';
  const site = Object.entries(siteSettings(settings, cmsUrl));
  writePrivate(path.join(folder, 'site.env'), site.map(([name, value]) => `${name}=${value}\n`).join(''));
  return settings;
}

/** Adds missing variables to a file that only its owner may read. @returns all variables of the file. */
export function completeEnv(
  file: string,
  wanted: Iterable<readonly [name: string, make: () => string]>,
): NodeJS.Dict<string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const known = parseEnv(text);
  const lines = [...wanted].filter(([name]) => !known[name]).map(([name, make]) => `${name}=${make()}\n`);
  if (lines.length === 0) return known;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  writePrivate(file, `${text}${separator}${lines.join('')}`);
  return { ...known, ...parseEnv(lines.join('')) };
}

function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  // Set the mode again, because an existing file keeps its own.
  chmodSync(file, 0o600);
}

export function siteSettings(settings: CmsSettings, cmsUrl: string): CmsSettings {
  return {
    PUBLIC_URL: settings.SITE_URL ?? '',
    CONTENT_BASE_URL: cmsUrl,
    CONTENT_TOKEN: settings.SITE_TOKEN ?? '',
    WEBHOOK_SECRET: settings.WEBHOOK_SECRET ?? '',
    PROBLEMS_TOKEN: settings.PROBLEMS_TOKEN ?? '',
    PREVIEW_SECRET: settings.PREVIEW_SECRET ?? '',
    PREVIEW_TOKEN: settings.PREVIEW_TOKEN ?? '',
    PREVIEW_FRAME_ORIGINS: new URL(cmsUrl).origin,
  };
}
