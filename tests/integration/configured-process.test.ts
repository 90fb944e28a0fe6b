import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBuiltSite } from '../faults/built-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const CONTENT = path.resolve(import.meta.dirname, '../../content');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'configured-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('CONTENT_DIR', () => {
  it('the built server serves the files of CONTENT_DIR, in production, too', async () => {
    const content = path.join(folder, 'elsewhere');
    await cp(CONTENT, content, { recursive: true });
    await writeFile(path.join(content, 'pages/about.md'), '---\ntitle: Told elsewhere\n---\n\nA text.\n');
    const env = { CONTENT_DIR: content, NODE_ENV: 'production', PUBLIC_URL: 'any' };
    const site = await startBuiltSite({ env });
    try {
      const { status, text } = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
      expect([status, text]).toEqual([200, expect.stringContaining('Told elsewhere')]);
    } finally {
      await site.dispose();
    }
  });

  it('a CONTENT_DIR that is no folder ends the start, which names the variable', async () => {
    const start = startBuiltSite({ env: { CONTENT_DIR: path.join(folder, 'missing') } });
    await expect(start).rejects.toThrow(/start-config-invalid.*CONTENT_DIR: wants a folder that exists/);
  });
});
