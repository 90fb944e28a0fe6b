// node esbuild.config.mjs              builds the site into dist/
// node esbuild.config.mjs --if-stale   builds only if the sources have changed since the last build

const unknown = process.argv.slice(2).find(argument => argument !== '--if-stale');
if (unknown) {
  console.error(`Unknown argument: ${unknown}. The only known argument is --if-stale.`);
  process.exit(2);
}
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `This is Node ${process.versions.node}; the build needs 24 or later. 'npm run build' uses the Node from the packages.`,
  );
  process.exit(1);
}

const { isStale } = await import('./build/staleness.ts');

if (!process.argv.includes('--if-stale') || (await isStale())) {
  const { buildSite } = await import('./build/build-site.ts');
  const { describeFailure } = await import('./build/build-error.ts');
  try {
    console.log(await buildSite());
  } catch (error) {
    console.error(await describeFailure(error));
    process.exitCode = 1;
  }
}
