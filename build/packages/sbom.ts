import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../output-files.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Lists production dependencies as CycloneDX. `npm sbom --omit dev` would omit their peer dependencies. */
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
    // Name the folder after the project, because npm uses the folder's name.
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

/** Adds the build id, as `/readyz` reports it, to a bill of materials. */
export function ofBuild(bill: string, build: string): string {
  const { metadata, ...rest } = JSON.parse(bill);
  const properties = [...(metadata?.properties ?? []), { name: 'build', value: build }];
  return `${JSON.stringify({ ...rest, metadata: { ...metadata, properties } }, null, 2)}\n`;
}

// Prints the bill of materials. With a file, writes the bill of the release in `dist`.
if (import.meta.main) {
  const [, , file] = process.argv;
  const bill = await billOfMaterials();
  if (file === undefined) process.stdout.write(bill);
  else {
    const { id } = JSON.parse(await readFile(join(projectRoot, 'dist/manifest.json'), 'utf8'));
    await writeFile(file, ofBuild(bill, id));
  }
}
