import { accessSync, constants, globSync } from 'node:fs';
import path from 'node:path';

/** Debian packages of each program that tests start. The first package has the program itself. */
const PACKAGES = {
  'redis-server': ['redis-server'],
  nginx: ['nginx'],
  varnishd: ['varnish', 'varnish-modules'],
  caddy: ['caddy'],
  prometheus: ['prometheus'],
  promtool: ['prometheus'],
  'systemd-analyze': ['systemd'],
} as const;

/** A third-party program that tests start, such as Redis. */
export type EngineName = keyof typeof PACKAGES;
export const ENGINE_NAMES = Object.keys(PACKAGES) as readonly EngineName[];

export interface Engine {
  /** Absolute path of the program. */
  readonly command: string;
  /** Environment that the program needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders with the modules of Varnish, including `xkey`. Empty for other engines. */
  readonly modules: readonly string[];
}

/** Folder in which `npm run engines` unpacks packages. */
export const ENGINES_DIR = path.resolve(import.meta.dirname, '../../.cache/engines');
export const UNPACKED = path.join(ENGINES_DIR, 'root');

/** Debian puts some servers into folders that are not on every user's path. */
const SYSTEM_FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
const VARNISH_MODULES = 'lib/*/varnish/vmods';

/** @returns the Debian packages of an engine. */
export function packagesOf(name: EngineName): readonly string[] {
  return PACKAGES[name];
}

/** @returns an engine of this machine, or one that `npm run engines` has unpacked, or null. */
export function findEngine(name: EngineName): Engine | null {
  const unpackedFolders = ['bin', 'sbin'].map(folder => path.join(UNPACKED, 'usr', folder));
  return (
    engineIn(name, SYSTEM_FOLDERS, '/usr', {}) ??
    engineIn(name, unpackedFolders, path.join(UNPACKED, 'usr'), {
      LD_LIBRARY_PATH: globSync(['usr/lib/*-linux-*', 'usr/lib/*/{varnish,systemd}', 'lib/*-linux-*'], {
        cwd: UNPACKED,
      })
        .map(folder => path.join(UNPACKED, folder))
        .join(path.delimiter),
      SYSTEMD_UNIT_PATH: path.join(UNPACKED, 'lib/systemd/system'),
    })
  );
}

function engineIn(
  name: EngineName,
  folders: readonly string[],
  prefix: string,
  own: Record<string, string>,
): Engine | null {
  const command = folders.map(folder => path.join(folder, name)).find(isProgram);
  if (command === undefined) return null;
  const modules =
    name === 'varnishd' ? globSync(VARNISH_MODULES, { cwd: prefix }).map(dir => path.join(prefix, dir)) : [];
  const hasModules = globSync(modules.map(dir => path.join(dir, 'libvmod_xkey.so'))).length > 0;
  if (name === 'varnishd' && !hasModules) return null;
  return { command, modules, env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, ...own } };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds an engine for a test. A test without its engine is skipped. With `REQUIRE_ENGINES` set, as `.ci/run`
 * does, it fails.
 * @param context of the test
 */
export function engineFor(name: EngineName, context: { skip(reason: string): never }): Engine {
  const engine = findEngine(name);
  if (engine) return engine;
  const reason = `${name} is not installed: \`npm run engines\` fetches it on Debian`;
  if (process.env.REQUIRE_ENGINES) throw new Error(`${reason} (REQUIRE_ENGINES is set)`);
  return context.skip(reason);
}
