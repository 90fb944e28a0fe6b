import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../output-files.ts';
import { bundleSiteRules } from './bundle-site-rules.ts';
import { cmsFiles } from './schemas.ts';

/** `npm run cms:schemas`: writes the files of `cms/` that follow from the description of the content types. */
const files = new Map([...cmsFiles(), ['cms/src/site/site-rules.js', await bundleSiteRules()]]);
for (const [name, text] of files) {
  const file = path.join(projectRoot, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
console.log(`${files.size} files of cms/ are written.`);
