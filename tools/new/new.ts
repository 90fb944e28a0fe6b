// npm run new -- block|type|route NAME
//
// Makes the files of a block, of a route, or of a type with its route. `templates/` has the originals.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { projectRoot } from '../../build/output-files.ts';
import { fixedAddressOf } from '../../server/addresses/fixed-addresses.ts';
import { descriptions } from '../../shared/content/content-types.ts';
import { siteTypes } from '../../site/types.ts';
import { panelDe } from '../../site/words/panel-de.ts';

const LISTS = new Map([
  ['block', ['blocks']],
  ['type', ['types', 'routes']],
  ['route', ['routes']],
]);
const README = 'content/README.md';
const PANEL_WORDS = 'site/words/panel-de.ts';

process.chdir(projectRoot);
const [kind = '', name = '', ...others] = process.argv.slice(2);
const lists = LISTS.get(kind);
if (!lists || name === '') fail('Say block, type or route, and a name: npm run new -- block promise');
if (others.length > 0 || !/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(name))
  fail(
    `'${[name, ...others].join(' ')}' is no name: use small letters, digits and hyphens, as in case-study`,
  );

const id = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const words = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
const plural = `${name.replace(/(?<=[^aeiou])y$/, 'ie').replace(/(?<=s|x|ch|sh)$/, 'e')}s`;
const address = kind === 'type' ? plural : name;
const filled = (text: string) =>
  text
    .replaceAll('__NAME__', name)
    .replaceAll('__ID__', id)
    .replaceAll('__VIEW__', id.charAt(0).toUpperCase() + id.slice(1))
    .replaceAll('__WORDS__', words)
    .replaceAll('__PATH__', address);

const folder = path.join(import.meta.dirname, 'templates', kind);
const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.txt'))
  .map(file => ({
    to: filled(file.replaceAll('\\', '/').replace(/\.txt$/, '')),
    text: readFileSync(path.join(folder, file), 'utf8'),
  }));
const changed = lists.map(list => `site/${list}.ts`);
const code = templates.filter(({ to }) => /\.tsx?$/.test(to));

const mistake = mistakeInName();
if (mistake) fail(`${mistake}: choose another name`);

for (const { to, text } of templates) {
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, filled(text));
}
for (const list of lists) {
  const from = `./${list}/${name}/${name}.${list.slice(0, -1)}.ts`;
  const entry = list === 'types' ? `'${name}': ${id}` : id;
  // Add the name to the file's first list, which has all names. Later lists have only some of them.
  const text = readFileSync(`site/${list}.ts`, 'utf8').replace(/^[\]}] as const/m, `  ${entry},\n$&`);
  writeFileSync(`site/${list}.ts`, `import { ${id} } from '${from}';\n${text}`);
}
if (kind !== 'route') {
  // The German word of the panel, to be translated.
  const [word, german] = kind === 'block' ? [`Block “${words}”`, `Block „${words}“`] : [words, words];
  const texts = readFileSync(PANEL_WORDS, 'utf8');
  const added = `$&  '${word}': '${german}',\n`;
  if (!Object.hasOwn(panelDe, word)) writeFileSync(PANEL_WORDS, texts.replace(/^export .*\n/m, added));
  changed.push(PANEL_WORDS);
}
const biome = 'node_modules/@biomejs/biome/bin/biome';
const sorted = [...changed, ...code.map(({ to }) => to)];
execFileSync(process.execPath, [biome, 'check', '--write', ...sorted], { stdio: 'pipe' });
if (kind === 'type') {
  const row = `| \`${address}/*.md\` | ${words.toLowerCase()} | \`/${address}/{name}\` |\n`;
  writeFileSync(README, readFileSync(README, 'utf8').replace(/^\| `pages\//m, `${row}$&`));
  changed.push(README);
}

console.log(`Made:
${templates.map(({ to }) => `  ${to}\n`).join('')}
Changed: ${changed.join(', ')}

Next: npm run check, which writes what follows from them. Commit that, too.
CONTRIBUTING.md says how to go on with a new ${kind}, and which tests to run.`);

/** @returns why the name cannot be used; null for a good name. */
function mistakeInName(): string | null {
  const found = templates.find(({ to }) => existsSync(to));
  if (found) return `${found.to} exists`;
  const model = kind === 'block' ? `${name}-block` : name;
  if (kind !== 'route' && descriptions[model]) return `The CMS has a model '${model}'`;
  if (kind !== 'block' && fixedAddressOf(siteTypes.page.path, address) !== null)
    return `The site answers /${address} itself`;
  const texts = [...changed.map(file => readFileSync(file, 'utf8')), ...code.map(({ text }) => text)];
  const names = texts.join('\n').replace(/\/\*.*?\*\/|'.*?'/gs, '');
  if (new RegExp(`\\b${id}\\b`).test(names)) return `'${id}' is a name in the code`;
  try {
    new Script(`'use strict'; async () => { let ${id}; }`);
    return null;
  } catch {
    return `'${id}' is a word of JavaScript`;
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
