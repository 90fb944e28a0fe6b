import { expect } from 'vitest';
import type { ContentTypeName } from '../../../shared/content/content-types.ts';
import { eventually } from '../../support/eventually.ts';
import { cmsTest } from './cms-test.ts';

/**
 * Gives each test file the CMS with entries and files by name, and a function that waits for edited pages.
 */
export const editingTest = cmsTest
  /** @returns the document id of an entry, by its slug or name. */
  .extend('idOf', { scope: 'file' }, async ({ admin }) => {
    return async (type: ContentTypeName, name: string): Promise<string> => {
      const entry = (await admin.list(type)).find(one => one.slug === name || one.name === name);
      if (!entry) throw new Error(`The type ${type} has no ${name}`);
      return entry.documentId;
    };
  })
  /** @returns the id of a file of the media library, by its name. */
  .extend('fileId', { scope: 'file' }, async ({ admin }) => {
    const { results } = (await admin.call('GET', '/upload/files?page=1&pageSize=1000')) as {
      results: { id: number; name: string }[];
    };
    return (name: string): number => {
      const file = results.find(one => one.name === name);
      if (!file) throw new Error(`The media library has no ${name}`);
      return file.id;
    };
  })
  /** Waits until the answers at some paths have a text, or until none has it. */
  .extend('untilAll', async ({ getPage }) => {
    return (paths: readonly string[], has: boolean, part: string) =>
      eventually(async () => {
        for (const path of paths) {
          const { status, text } = await getPage(path);
          expect([path, status, text.includes(part)]).toEqual([path, 200, has]);
        }
      });
  });
