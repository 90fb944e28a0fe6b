import { build, type Metafile } from 'esbuild';
import { expect, it } from 'vitest';
import { checkClientInputs, clientBundle } from '../../build/bundles/bundles.ts';

it('the browser bundle has the pages, and no file of the server', async () => {
  const { metafile } = await build({ ...clientBundle('production'), write: false });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('site/routes/blog-tag/blog-tag.tsx');
  expect(inputs.filter(file => file.startsWith('server/') || file.endsWith('.server.ts'))).toEqual([]);
});

it('a loader in the browser bundle fails the build, and the error names the loader', () => {
  const page = 'site/routes/tag/tag.tsx';
  const loader = 'site/routes/tag/tag.load.server.ts';
  const input = (...paths: readonly string[]): Metafile['inputs'][string] => ({
    bytes: 1,
    imports: paths.map(path => ({ path, kind: 'import-statement' })),
  });
  const metafile = { inputs: { [page]: input(loader), [loader]: input() }, outputs: {} };
  expect(() => checkClientInputs(metafile)).toThrow(`${loader} must not reach the browser`);
});
