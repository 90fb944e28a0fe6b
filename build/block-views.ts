import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './output-files.ts';

export const BLOCK_VIEWS = 'site/block-views.ts';

/**
 * Lists the components of blocks, by their descriptions in `site/blocks.ts`. Browsers get only components,
 * decoders only descriptions.
 */
export async function blockViews(): Promise<string> {
  const list = await readFile(join(projectRoot, 'site/blocks.ts'), 'utf8');
  const imports = list.matchAll(/^import \{ (\w+) \} from '(\.\/blocks\/[^']+)\.block\.ts';$/gm);
  const blocks = Array.from(imports, ([, name = '', file]) => {
    const view = `${name.charAt(0).toUpperCase()}${name.slice(1)}View`;
    return { line: `import ${view} from '${file}.tsx';\n`, entry: `  ${name}: ${view},\n` };
  });
  return `import type { ComponentType } from 'react';
import type { BlockName, BlockProps } from '../shared/content/landing.ts';
${blocks.map(({ line }) => line).join('')}
/** The component of each block. The build writes this file from the list in \`blocks.ts\`. */
export const blockViews = {
${blocks.map(({ entry }) => entry).join('')}} satisfies { readonly [Name in BlockName]: ComponentType<BlockProps<never>> };
`;
}

export async function writeBlockViews(): Promise<void> {
  const file = join(projectRoot, BLOCK_VIEWS);
  const [views, found] = await Promise.all([blockViews(), readFile(file, 'utf8').catch(() => null)]);
  if (views !== found) await writeFile(file, views);
}
