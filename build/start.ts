import './end-with-parent.ts';
import { isStale } from './staleness.ts';

/**
 * `npm start`: builds the site if its sources have changed, then serves it. The server runs in this process, so that a
 * signal reaches it directly, and ends with npm.
 */
if (await isStale()) {
  // Load the build's packages only when they are needed.
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

await import(new URL('../dist/server/main.js', import.meta.url).href);
