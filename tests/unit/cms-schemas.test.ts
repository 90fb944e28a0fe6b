import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles, staleFiles } from '../../build/cms/write-schemas.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** Folders with files written by hand, for CMS types that the site does not read. */
const BY_HAND = ['cms/src/api/message/'];

const generated = await generatedFiles();

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      path.relative(projectRoot, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
    )
    .filter(file => !BY_HAND.some(byHand => file.startsWith(byHand)));
}

describe('the types of the CMS', () => {
  it('the CMS types and block components follow from the descriptions (npm run check writes them)', async () => {
    expect([...(await staleFiles()).keys()]).toEqual([]);
  });

  it('the folders of CMS types have no file without a description', () => {
    const found = ['cms/src/api', 'cms/src/components'].flatMap(filesBelow);
    expect(found.filter(file => !generated.has(file))).toEqual([]);
    expect(found.length).toBeGreaterThan(40);
  });
});
