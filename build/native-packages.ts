import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, type OutputFile, projectRoot } from './output-files.ts';

/** Packages with native code. They cannot be bundled, so they are copied beside the bundle, where Node finds them. */
const NATIVE_PACKAGES = ['sharp'];

interface PackageJson {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * @returns the files of the native packages and of their dependencies, below `node_modules/` of the output folder. Only
 *   the binaries for this machine are included, because npm has installed no others.
 */
export async function nativePackages(): Promise<OutputFile[]> {
  const found = new Map<string, readonly string[]>();
  const queue = [...NATIVE_PACKAGES];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    const files = await listFiles(`node_modules/${name}`);
    found.set(name, files);
    // npm does not install optional packages for other platforms.
    if (files.length === 0) continue;
    const text = await readFile(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8');
    const { dependencies, optionalDependencies } = JSON.parse(text) as PackageJson;
    queue.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
  const paths = [...found.values()].flat().filter(path => !/\.(?:md|cc|h|gyp|d\.[cm]?ts)$/.test(path));
  return Promise.all(paths.map(async path => ({ path, contents: await readFile(join(projectRoot, path)) })));
}
