import { build } from 'rolldown';
import { projectRoot } from '../output-files.ts';

/** @returns the text of `cms/src/site/site-rules.js`: the CMS checks by the rules of the site, and says its sentences. */
export async function bundleSiteRules(): Promise<string> {
  const { output } = await build({
    cwd: projectRoot,
    input: 'cms/site-rules.ts',
    write: false,
    // Modules of which nothing is used are left out, also those that do something when they are loaded.
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
