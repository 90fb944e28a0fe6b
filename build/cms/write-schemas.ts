import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';
import { blockViews } from '../block-views.ts';
import { projectRoot } from '../output-files.ts';
import { logsDocument, metricsDocument } from '../table-docs.ts';
import { cmsFiles } from './schemas.ts';

export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const [views, rules] = await Promise.all([blockViews(), bundleSiteRules()]);
  return new Map([
    ...cmsFiles(),
    ['cms/src/site/site-rules.js', rules],
    ...views,
    ['docs/logs.md', logsDocument()],
    ['docs/metrics.md', metricsDocument()],
  ]);
}

export async function staleFiles(): Promise<ReadonlyMap<string, string>> {
  const files = await Promise.all(
    [...(await generatedFiles())].map(async ([file, text]) => {
      const found = await readFile(path.join(projectRoot, file), 'utf8').catch(() => null);
      return found === text ? [] : [[file, text] as const];
    }),
  );
  return new Map(files.flat());
}

/** Bundles the rules, so that the CMS checks values as the site does. */
async function bundleSiteRules(): Promise<string> {
  const { output } = await build({
    cwd: projectRoot,
    input: 'cms/site-rules.ts',
    write: false,
    // Drop the pages and loaders that routes import, because the CMS does not load them.
    external: /\.tsx$/,
    transform: { define: { __BROWSER__: 'true' } },
    // Drop modules without a used export, even if they have side effects.
    treeshake: { moduleSideEffects: false },
    // Add a function that Node 20 lacks, because Strapi also runs on Node 20.
    output: {
      format: 'cjs',
      comments: false,
      banner: 'URL.parse ??= (...parts) => URL.canParse(...parts) ? new URL(...parts) : null;',
    },
  });
  return `// Written from the sources of the site.\n${output[0].code}`;
}

/** `npm run check`, `npm test` and `npm run cms` update the files. CI fails if one is outdated. */
if (import.meta.main) {
  const stale = await staleFiles();
  const names = [...stale.keys()].map(file => `\n  ${file}`).join('');
  if (stale.size > 0 && process.env.CI) {
    console.error(`These files do not fit the sources. Run 'npm run check', and commit:${names}`);
    process.exit(1);
  }
  for (const [name, text] of stale) {
    const file = path.join(projectRoot, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (stale.size > 0) console.log(`Written from the sources of the site:${names}`);
}
