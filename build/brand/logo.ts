import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { unlessMissing } from '../../server/cache/disk/missing-file.ts';
import { BuildError } from '../build-error.ts';
import { brandDir, projectRoot } from '../output-files.ts';
import { readBrand } from './brand.ts';
import { letterWidth, letterWidths } from './faces.ts';

/** Elements that the security policy forbids inside a page, or that load something. */
const FORBIDDEN = ['script', 'style', 'foreignObject', 'image', 'a'];

/** @returns the module `logo.svg` with React elements, because Trusted Types forbid markup as text. */
export async function logoModule(): Promise<string> {
  const [light, dark, { logo, faces }] = await Promise.all([
    readDrawing('logo.svg'),
    unlessMissing(readDrawing('logo-dark.svg')),
    readBrand(),
  ]);
  return `import { createElement } from 'react';
export const letterWidths = ${JSON.stringify(await letterWidths(faces.display))};
export default { light: ${light}, dark: ${dark}, hasName: ${logo.hasName}, letterWidth: ${await letterWidth(faces.display)} };`;
}

async function readDrawing(name: string): Promise<string> {
  const file = join(brandDir, name);
  const root = parseFragment(await readFile(file, 'utf8')).childNodes.find(node => node.nodeName === 'svg');
  const refuse = (what: string) =>
    new BuildError([{ text: `${what}: a logo consists of shapes with attributes`, location: { file } }]);
  // Both drawings are in one page, so their ids must differ.
  const scope = name.slice(0, -'.svg'.length);

  function expression(node: DefaultTreeAdapterTypes.ChildNode): string[] {
    if (node.nodeName === '#text' && 'value' in node)
      return node.value.trim() ? [JSON.stringify(node.value)] : [];
    if (!('tagName' in node) || node.tagName === 'title') return [];
    if (FORBIDDEN.includes(node.tagName)) throw refuse(`<${node.tagName}>`);
    const attributes = node.attrs
      .filter(({ name }) => !name.startsWith('xmlns'))
      .map(({ name, value }) => {
        if (name === 'style' || name.startsWith('on')) throw refuse(name);
        if (name === 'href' && !value.startsWith('#')) throw refuse(value);
        if (name === 'id') return [name, `${scope}-${value}`];
        if (name === 'href') return [name, `#${scope}-${value.slice(1)}`];
        return [reactName(name), value.replaceAll('url(#', `url(#${scope}-`)];
      });
    const parts = [node.tagName, Object.fromEntries(attributes)].map(part => JSON.stringify(part));
    return [`createElement(${[...parts, ...node.childNodes.flatMap(expression)].join(', ')})`];
  }
  const [drawing] = root ? expression(root) : [];
  if (drawing === undefined) throw refuse('No <svg>');
  return drawing;
}

function reactName(attribute: string): string {
  return attribute.replaceAll(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase());
}

export function brandLogo(): Plugin {
  return {
    name: 'brand-logo',
    setup(build) {
      build.onLoad({ filter: /\/logo\.svg$/ }, async () => {
        try {
          return { contents: await logoModule(), resolveDir: projectRoot };
        } catch (error) {
          if (!(error instanceof BuildError)) throw error;
          return { errors: [...error.errors] };
        }
      });
    },
  };
}
