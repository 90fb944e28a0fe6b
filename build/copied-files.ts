import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, type OutputFile, projectRoot } from './output-files.ts';

const FOLDERS = ['client/static', 'site/static'];

export async function readStaticFiles(): Promise<OutputFile[]> {
  const files = (await Promise.all(FOLDERS.map(listFiles))).flat();
  return Promise.all(
    files.map(async path => ({
      path: path.replace(/^site/, 'client'),
      contents: await readFile(join(projectRoot, path)),
    })),
  );
}

export async function runbookCopy(): Promise<OutputFile> {
  return { path: 'server/runbook.md', contents: await readFile(join(projectRoot, 'docs/runbook.md')) };
}

/** Native packages cannot be bundled, so Node finds them beside the bundle. */
const NATIVE_PACKAGES = ['sharp'];

/** @returns the files of native packages and their dependencies, for this machine only. */
export async function nativePackages(): Promise<OutputFile[]> {
  const found = new Map<string, readonly string[]>();
  const queue = [...NATIVE_PACKAGES];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    const files = await listFiles(`node_modules/${name}`);
    found.set(name, files);
    // Skip optional packages for other platforms, which npm does not install.
    if (files.length === 0) continue;
    const text = await readFile(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8');
    const { dependencies, optionalDependencies } = JSON.parse(text);
    queue.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
  const paths = [...found.values()].flat().filter(path => !/\.(?:md|cc|h|gyp|d\.[cm]?ts)$/.test(path));
  return Promise.all(paths.map(async path => ({ path, contents: await readFile(join(projectRoot, path)) })));
}
