import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../build/cms/write-schemas.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** Folders whose files are written by hand: types of the CMS that the site does not read. */
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
  it('the types of the CMS are those of the description of the content types: run npm run cms:schemas after a change', () => {
    const changed = [...generated].filter(([file, text]) => readOrNull(file) !== text).map(([file]) => file);
    expect(changed).toEqual([]);
  });

  it('the types of the CMS have no file that does not follow from the description', () => {
    const found = ['cms/src/api', 'cms/src/components'].flatMap(filesBelow);
    expect(found.filter(file => !generated.has(file))).toEqual([]);
    expect(found.length).toBeGreaterThan(40);
  });
});

function readOrNull(file: string): string | null {
  try {
    return readFileSync(path.join(projectRoot, file), 'utf8');
  } catch {
    return null;
  }
}
