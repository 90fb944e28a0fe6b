import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import type { FieldState } from '../../shared/payload/preview-notes.ts';
import { FIXTURE_CONTENT } from './fixture.ts';
import { editor, PREVIEW_ENV, TOKEN } from './preview-test.ts';
import { type Answer, sendRequest } from './send-request.ts';
import { startSite } from './start-site.ts';

/** Starts a site whose previews may edit its content folder, a copy of the sample. */
export async function startFolderSite(env: Record<string, string> = {}) {
  const contentDir = await mkdtemp(path.join(os.tmpdir(), 'folder-site-'));
  await cp(FIXTURE_CONTENT, contentDir, { recursive: true });
  const mailDir = path.join(contentDir, 'no-mail');
  const backend = await startEmbeddedBackend({ contentDir, mailDir, previewToken: TOKEN });
  const { edit } = backend;
  const site = await startSite({ contentBaseUrl: backend.url, edit, env: { ...PREVIEW_ENV, ...env } });
  const url = site.url.replace('127.0.0.1', 'localhost');
  return {
    url,
    contentDir,
    read: (file: string) => readFile(path.join(contentDir, file), 'utf8'),
    write: (file: string, text: string | Uint8Array) => writeFile(path.join(contentDir, file), text),
    /** Asks as a preview does. @param headers that differ from those of a browser on this machine */
    ask(call: object, headers: Record<string, string | undefined> = {}): Promise<Answer> {
      const own = { ...editor(), host: new URL(url).host, origin: url, 'content-type': 'application/json' };
      const sent = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== undefined);
      return sendRequest(site.url, '/api/preview/edit', {
        method: 'POST',
        // Safe: values without a text are left out above.
        headers: Object.fromEntries(sent) as Record<string, string>,
        body: JSON.stringify(call),
      });
    },
    async close() {
      await site.close();
      await backend.close();
      await rm(contentDir, { recursive: true });
    },
  };
}

export const stateIn = (answer: Answer) => answer.json<FieldState>();
