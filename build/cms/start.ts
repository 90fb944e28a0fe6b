import '../end-with-parent.ts';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { projectRoot } from '../output-files.ts';
import { writeContentPlan } from './content-plan.ts';
import { buildPanelIfStale, installIfStale } from './prepare.ts';
import { ensureSecrets } from './secrets.ts';
import { checkPortIsFree, cmsFolder, startStrapi, untilReady } from './strapi.ts';

/** `npm run cms`: installs, builds and starts the CMS. An empty database gets the content of `content/`. */
// Lines of `cms/.env` count where the variable is not set.
const file = path.join(cmsFolder, '.env');
const lines = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
const CMS_PORT = process.env.CMS_PORT || lines.CMS_PORT || '1337';
const CMS_URL = process.env.CMS_URL || lines.CMS_URL;
// The database has visitors' messages and the digests of passwords.
process.umask(0o077);
// Browsers accept cookies and frames from localhost without HTTPS.
const url = CMS_URL || `http://localhost:${CMS_PORT}`;

try {
  // Asked now, before the minutes of the first start, and again after them.
  await checkPortIsFree(Number(CMS_PORT));
  installIfStale();
  const settings = ensureSecrets(cmsFolder, process.env, url);
  await buildPanelIfStale();
  const importFolder = path.join(cmsFolder, '.data', 'import');
  await rm(importFolder, { recursive: true, force: true });
  await writeContentPlan(path.join(projectRoot, 'content'), importFolder);
  await checkPortIsFree(Number(CMS_PORT));
  const strapi = startStrapi({ ...settings, CMS_PORT, CMS_URL: url, CMS_IMPORT: importFolder }, 'inherit');
  // Strapi finishes open requests. The signal reaches it by itself only from a terminal.
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
