import '../end-with-parent.ts';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../output-files.ts';
import { cmsFolder } from './cms-folder.ts';
import { writeContentPlan } from './content-plan.ts';
import { buildPanelIfStale, installIfStale } from './prepare.ts';
import { startStrapi, untilReady } from './run-strapi.ts';
import { ensureSecrets } from './secrets.ts';

/**
 * `npm run cms`: installs and builds the CMS in `cms/` if something is missing, and starts it. An empty database gets the content of
 * `content/`.
 */
const { CMS_PORT = '1337', CMS_URL } = process.env;
// The panel asks for cookies and the preview for frames. Browsers take both from localhost without HTTPS.
const url = CMS_URL ?? `http://localhost:${CMS_PORT}`;

try {
  installIfStale();
  const settings = ensureSecrets(cmsFolder, process.env, url);
  buildPanelIfStale();
  const importFolder = path.join(cmsFolder, '.data', 'import');
  await rm(importFolder, { recursive: true, force: true });
  await writeContentPlan(path.join(projectRoot, 'content'), importFolder);
  const strapi = startStrapi({ ...settings, CMS_PORT, CMS_IMPORT: importFolder }, 'inherit');
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
