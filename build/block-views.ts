import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './output-files.ts';

interface Block {
  readonly name: string;
  readonly file: string;
}

/**
 * Generates the two modules that map each block of `site/blocks.ts` to its component. Components in
 * `*.late.tsx` are loaded on demand: each has a separate chunk and stylesheet.
 */
export async function blockViews(): Promise<ReadonlyMap<string, string>> {
  const list = await readFile(join(projectRoot, 'site/blocks.ts'), 'utf8');
  const imports = list.matchAll(/^import \{ (\w+) \} from '(\.\/blocks\/[^']+)\.block\.ts';$/gm);
  const blocks = Array.from(imports, ([, name = '', file = '']): Block => ({ name, file }));
  const isLate = ({ file }: Block) => existsSync(join(projectRoot, 'site', `${file}.late.tsx`));
  return new Map([
    ['site/block-views.ts', staticViews(blocks.filter(block => !isLate(block)))],
    ['site/late-block-views.ts', lateViews(blocks.filter(isLate))],
  ]);
}

function staticViews(blocks: readonly Block[]): string {
  const viewOf = ({ name }: Block) => `${name.charAt(0).toUpperCase()}${name.slice(1)}View`;
  return `import type { ComponentType } from 'react';
import type { BlockName, BlockProps } from '../shared/content/landing.ts';
${blocks.map(block => `import ${viewOf(block)} from '${block.file}.tsx';\n`).join('')}
/** The component of each block. The build writes this file from the list in \`blocks.ts\`. */
export const blockViews = {
${blocks.map(block => `  ${block.name}: ${viewOf(block)},\n`).join('')}} satisfies { readonly [Name in BlockName]: ComponentType<BlockProps<never>> };
`;
}

function lateViews(blocks: readonly Block[]): string {
  return `import type { BlockName, PageBlockName } from '../shared/content/landing.ts';

/** Loads the components of those blocks that have their own chunk. Written by the build. */
export const lateBlockViews = {
${blocks.map(({ name, file }) => `  ${name}: () => import('${file}.late.tsx'),\n`).join('')}} satisfies { readonly [Name in Exclude<PageBlockName, BlockName>]: () => Promise<object> };
`;
}

export async function writeBlockViews(): Promise<void> {
  for (const [path, text] of await blockViews()) {
    const file = join(projectRoot, path);
    if (text !== (await readFile(file, 'utf8').catch(() => null))) await writeFile(file, text);
  }
}
