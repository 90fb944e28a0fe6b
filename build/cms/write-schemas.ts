import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';
import { projectRoot } from '../output-files.ts';
import { cmsFiles } from './schemas.ts';

/** The files of `cms/` that follow from the descriptions and the rules of the site, by their paths. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([...cmsFiles(), ['cms/src/site/site-rules.js', await bundleSiteRules()]]);
}

/** By these rules the CMS checks as the site does. */
async function bundleSiteRules(): Promise<string> {
  const { output } = await build({
    cwd: projectRoot,
    input: 'cms/site-rules.ts',
    write: false,
    // Leaves out modules of which nothing is used, with the effects of loading them.
    treeshake: { moduleSideEffects: false },
    // Node 20, which Strapi supports, lacks the function.
    output: {
      format: 'cjs',
      comments: false,
      banner: 'URL.parse ??= (...parts) => URL.canParse(...parts) ? new URL(...parts) : null;',
    },
  });
  return `// Written by \`npm run cms:schemas\` of the site.\n${output[0].code}`;
}

// npm run cms:schemas
if (import.meta.main) {
  const files = await generatedFiles();
  for (const [name, text] of files) {
    const file = path.join(projectRoot, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  console.log(`${files.size} files of cms/ are written.`);
}
