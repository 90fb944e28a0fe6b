import './end-with-parent.ts';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withNodeFlags } from '../server/ops/process/memory.ts';
import { distDir } from './output-files.ts';

/** `npm start`: builds changed sources, then serves in this process, so that signals reach the server. */
withNodeFlags(import.meta.filename, process.env);
const { isStale } = await import('./staleness.ts');
if (await isStale()) {
  // Load the build's packages only when needed.
  const [{ buildSite }, { describeFailure }, { stop }] = await Promise.all([
    import('./build-site.ts'),
    import('./build-error.ts'),
    import('esbuild'),
  ]);
  try {
    console.log(await buildSite());
  } catch (error) {
    console.error(await describeFailure(error));
    process.exit(1);
  }
  await stop();
}

await import(pathToFileURL(join(distDir, 'server/main.js')).href);
