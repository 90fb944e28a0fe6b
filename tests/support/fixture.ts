import { cp } from 'node:fs/promises';
import path from 'node:path';

/**
 * The content that tests use, so that an adopter may change `content/`. Only `integration/sample-content`
 * looks at that folder.
 */
export const FIXTURE_CONTENT = path.resolve(import.meta.dirname, '../fixture/content');

/** The content of the site. After `npm run init` it is an adopter's. */
export const SAMPLE_CONTENT = path.resolve(import.meta.dirname, '../../content');

/** The end of the reason why a test of the sample is skipped. No run can mend it, so it fails none. */
export const NOT_THE_SAMPLE = 'is no longer the sample';

/** Copies the parts of the project that the image holds, with the content of the tests. */
export async function copyRelease(folder: string): Promise<void> {
  const root = path.resolve(import.meta.dirname, '../..');
  for (const name of ['dist', 'package.json'])
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await cp(FIXTURE_CONTENT, path.join(folder, 'content'), { recursive: true });
}
