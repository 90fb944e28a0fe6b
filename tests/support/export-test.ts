import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'vitest';
import { type ExportOptions, exportSite } from '../../tools/export/export-site.ts';
import { startEditableBackend } from './editable-backend.ts';
import { FIXTURE_CONTENT } from './fixture.ts';

export const EXPORT_URL = 'https://www.example.com';

/** Exports a site. Further exports into the folder use the same data. */
export function exportTo(folder: string, options: Partial<ExportOptions>) {
  return exportSite({
    out: path.join(folder, 'site'),
    publicUrl: new URL(EXPORT_URL),
    forms: null,
    dataDir: path.join(folder, 'data'),
    env: { PATH: process.env.PATH, CONTENT_DIR: FIXTURE_CONTENT },
    say: () => {},
    ...options,
  });
}

/** Gives each test file a CMS, and a folder with an export of its content. */
export const exportTest = test
  .extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const backend = await startEditableBackend();
    onCleanup(() => backend.close());
    return backend;
  })
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'export-'));
    // The server of a killed export may still write its records.
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
    return folder;
  })
  /** Exports the CMS's current content into the folder. */
  .extend(
    'exportAgain',
    { scope: 'file' },
    async ({ backend, folder }) =>
      (options: Partial<ExportOptions> = {}) =>
        exportTo(folder, {
          env: {
            ...{ PATH: process.env.PATH, CONTENT_BASE_URL: backend.url, CONTENT_TIMEOUT_MS: '20000' },
            SECURITY_CONTACT: 'mailto:security@example.com',
          },
          ...options,
        }),
  )
  .extend('first', { scope: 'file' }, ({ exportAgain }) => exportAgain())
  .extend('read', { scope: 'file' }, async ({ folder, first: _first }) => (file: string) => {
    return readFile(path.join(folder, 'site', file), 'utf8');
  });
