import '../end-with-parent.ts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { buildPanelIfStale, installIfStale } from './prepare.ts';
import { ensureSecrets } from './secrets.ts';
import { checkPortIsFree, cmsFolder, startStrapi, untilReady } from './strapi.ts';
import { writeImport } from './write-import.ts';

/**
 * `npm run cms`: installs, builds and starts the CMS, and fills an empty database from the content folder.
 * With `CMS_SAMPLE=off` an empty database stays empty.
 */
// Read `cms/.env` for variables that are not set.
const file = path.join(cmsFolder, '.env');
const lines = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
const CMS_PORT = process.env.CMS_PORT || lines.CMS_PORT || '1337';
const CMS_URL = process.env.CMS_URL || lines.CMS_URL;
const CMS_SAMPLE = process.env.CMS_SAMPLE || lines.CMS_SAMPLE;
// Hide new files from other users, because the database contains messages and password hashes.
process.umask(0o077);
// Use localhost, where browsers accept cookies and frames without HTTPS.
const url = CMS_URL || `http://localhost:${CMS_PORT}`;

try {
  // Check now, because a first start takes minutes before it uses the port. Strapi's start checks it again.
  await checkPortIsFree(Number(CMS_PORT));
  installIfStale();
  const settings = ensureSecrets(cmsFolder, process.env, url);
  await buildPanelIfStale();
  const importFolder = CMS_SAMPLE === 'off' ? '' : await writeImport(path.join(cmsFolder, '.data', 'import'));
  await checkPortIsFree(Number(CMS_PORT));
  const strapi = startStrapi({ ...settings, CMS_PORT, CMS_URL: url, CMS_IMPORT: importFolder }, 'inherit');
  // Pass signals on, because only a terminal also sends them to Strapi. Strapi then finishes open requests.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => strapi.kill(signal));
  strapi.once('exit', code => process.exit(code ?? 0));
  await untilReady(strapi, `http://127.0.0.1:${CMS_PORT}`);
  console.log(
    [
      '',
      `The CMS is ready: ${url}/admin`,
      `  Sign in as ${settings.ADMIN_EMAIL}. The password is ADMIN_PASSWORD in cms/.env.`,
      '  Start the site with it in another terminal:',
      '    env $(cat cms/site.env) npm start',
      '',
    ].join('\n'),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
