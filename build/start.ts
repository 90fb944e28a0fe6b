import { isStale } from './staleness.ts';

/**
 * `npm start`: builds the site where its sources have changed, then serves it. The server runs in this process, so that
 * a signal reaches it without a go-between that would have to pass it on.
 */
if (await isStale()) {
  // Loaded only now: with a fresh build in place the packages of the build are not needed.
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
