import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';
import { BLOCK_VIEWS, blockViews } from '../block-views.ts';
import { projectRoot } from '../output-files.ts';
import { cmsFiles } from './schemas.ts';

/** The files that follow from the descriptions and the rules of the site, by their paths. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const [views, rules] = await Promise.all([blockViews(), bundleSiteRules()]);
  return new Map([...cmsFiles(), ['cms/src/site/site-rules.js', rules], [BLOCK_VIEWS, views]]);
}

/** The generated files that are missing, or that follow from earlier descriptions. */
export async function staleFiles(): Promise<ReadonlyMap<string, string>> {
  const files = await Promise.all(
    [...(await generatedFiles())].map(async ([file, text]) => {
      const found = await readFile(path.join(projectRoot, file), 'utf8').catch(() => null);
      return found === text ? [] : [[file, text] as const];
    }),
  );
  return new Map(files.flat());
}

/** By these rules the CMS checks as the site does. */
async function bundleSiteRules(): Promise<string> {
  const { output } = await build({
    cwd: projectRoot,
    input: 'cms/site-rules.ts',
    write: false,
    // The descriptions of routes name their pages and loaders, which the CMS does not load.
    external: /\.tsx$/,
    transform: { define: { __BROWSER__: 'true' } },
    // Leaves out modules of which nothing is used, with the effects of loading them.
    treeshake: { moduleSideEffects: false },
    // Node 20, which Strapi supports, lacks the function.
    output: {
      format: 'cjs',
      comments: false,
      banner: 'URL.parse ??= (...parts) => URL.canParse(...parts) ? new URL(...parts) : null;',
    },
  });
  return `// Written from the sources of the site.\n${output[0].code}`;
}

/**
 * Writes the stale files, and says which. `npm run check`, `npm test` and `npm run cms` begin with this. A
 * run of CI tests what is committed, so it fails in place of writing.
 */
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
