import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../build/output-files.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';

/**
 * The build depends on internals of some packages (docs/upgrading.md). These tests find changes that neither
 * the compiler nor the build would report.
 */
const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const manifest: BuildManifest = JSON.parse(read('dist/manifest.json'));
const metafile: Metafile = JSON.parse(read('dist/meta-client.json'));

describe('React Router', () => {
  const folder = 'node_modules/react-router/dist/production';
  const sources = readdirSync(path.join(projectRoot, folder))
    .filter(name => name.endsWith('.mjs'))
    .map(name => read(`${folder}/${name}`))
    .join('\n');
  const scripts = Object.keys(metafile.outputs)
    .filter(file => file.endsWith('.js'))
    .map(read)
    .join('\n');
  const warnings = Array.from(
    sources.matchAll(/^\s*(?:warning|warningOnce|warnOnce)\([^"`;]*["`]([^"`$\\]{25,})/gm),
    ([, text = '']) => text,
  );

  it('React Router is bundled without the texts of its warnings', () => {
    expect(warnings.length).toBeGreaterThan(10);
    expect(warnings.filter(text => scripts.includes(text))).toEqual([]);
  });

  it('React Router is bundled without components that the site does not use', () => {
    // Texts that only `Link`, `Form` and `ScrollRestoration` contain.
    for (const text of ['data-discover', 'react-router-scroll-positions']) {
      expect(sources).toContain(text);
      expect(scripts).not.toContain(text);
    }
  });
});

describe('React', () => {
  it('React is imported as an ES module by the browser’s scripts', () => {
    const modules = Object.keys(metafile.inputs).filter(input => input.startsWith('react-as-module:'));
    expect(modules.sort()).toEqual(['react-as-module:react', 'react-as-module:react/jsx-runtime']);
  });
});

describe('esbuild', () => {
  it('esbuild puts modules used by every page into few chunks', () => {
    const { entry, preload, routes } = manifest;
    for (const [route, chunks] of Object.entries(routes))
      expect([entry, ...preload, ...chunks].length, route).toBeLessThanOrEqual(9);
  });
});

describe('lightningcss', () => {
  it('lightningcss returns placeholders for addresses, all of which are replaced', () => {
    const css = read(`dist/client${manifest.stylesheet}`);
    const addresses = Array.from(css.matchAll(/url\(["']?([^"')]+)/g), ([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(1);
    const local = addresses.filter(address => !/^(?:data:|#)/.test(address));
    expect(local.filter(address => !existsSync(path.join(projectRoot, 'dist/client', address)))).toEqual([]);
  });
});
