import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './output-files.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * @returns the bill of materials of the production dependencies, for all platforms: CycloneDX as npm writes it from the lockfile.
 *
 * npm's own `--omit dev` leaves out what a development dependency could use as well (yaml, which vite names as a peer). So
 * npm gets a manifest and a lockfile in which there are no others.
 */
export async function billOfMaterials(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  const lockfile = JSON.parse(await readFile(join(projectRoot, 'package-lock.json'), 'utf8'));
  const { devDependencies: _dev, scripts: _scripts, ...production } = manifest;
  const { devDependencies: _lockedDev, ...root } = lockfile.packages[''];
  const kept = Object.entries<{ dev?: boolean }>(lockfile.packages).filter(
    ([folder, { dev }]) => folder !== '' && !dev,
  );
  const folder = await mkdtemp(join(tmpdir(), 'sbom-'));
  try {
    // npm takes the folder's name for the project's.
    const project = join(folder, manifest.name);
    await mkdir(project);
    await writeFile(join(project, 'package.json'), JSON.stringify(production));
    const packages = { '': root, ...Object.fromEntries(kept) };
    await writeFile(join(project, 'package-lock.json'), JSON.stringify({ ...lockfile, packages }));
    const { stdout } = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
      cwd: project,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(await billOfMaterials());
