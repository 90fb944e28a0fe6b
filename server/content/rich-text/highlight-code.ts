import type { ElementContent, RootContent } from 'hast';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { RichNode } from '../../../shared/content/rich-text.ts';

/** Code of more characters stays plain. Code of this length is coloured in about 50 ms, unless it was made to take long. */
export const MAX_CODE_LENGTH = 20_000;
/** Depth of tokens within tokens, such as strings within expressions within strings. */
const MAX_NESTING = 20;

const grammars = { bash, css, diff, http, javascript, json, python, sql, typescript, xml, yaml };
const lowlight = createLowlight(grammars);

/** The label of a block of code, by the name or alias after the opening fence. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ bash: 'Shell', sh: 'Shell', shell: 'Shell', zsh: 'Shell', css: 'CSS', diff: 'Diff', patch: 'Diff' },
  ...{
    html: 'HTML',
    http: 'HTTP',
    javascript: 'JavaScript',
    js: 'JavaScript',
    jsx: 'JavaScript',
    mjs: 'JavaScript',
  },
  ...{ json: 'JSON', json5: 'JSON', jsonc: 'JSON', py: 'Python', python: 'Python', sql: 'SQL', svg: 'SVG' },
  ...{ ts: 'TypeScript', tsx: 'TypeScript', typescript: 'TypeScript', xml: 'XML', yaml: 'YAML', yml: 'YAML' },
};
/** Names that the grammars themselves do not know. */
lowlight.registerAlias({ bash: 'shell', json: 'json5' });

/** The class name of each scope of the highlighter; `shared/styles/code.css` has their colours. Other scopes have no colour. */
const COLOURS: Readonly<Record<string, string>> = {
  ...scopesOf('keyword', 'keyword literal built_in operator selector-tag doctag'),
  ...scopesOf('string', 'string regexp char symbol link'),
  ...scopesOf('number', 'number bullet'),
  ...scopesOf('comment', 'comment quote meta'),
  ...scopesOf(
    'name',
    'attr attribute title property name variable type section selector-class selector-id selector-attr',
  ),
  ...scopesOf('added', 'addition'),
  ...scopesOf('deleted', 'deletion'),
};

function scopesOf(colour: string, scopes: string): Record<string, string> {
  return Object.fromEntries(scopes.split(' ').map(scope => [`hljs-${scope}`, `el-code-${colour}`]));
}

/** @returns a language's name for readers, or null for a language without colours. */
export function languageName(language: string): string | null {
  const name = language.toLowerCase();
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? null) : null;
}

/**
 * Colours code. Some texts take minutes: the grammars are regular expressions, and some of them are slow for some texts. The thread
 * that runs this function has to be one that can be ended (`compile-pool.ts`).
 *
 * @returns the code with its tokens as `span`s, or null for code that stays plain.
 */
export function highlight(code: string, language: string): RichNode[] | null {
  if (languageName(language) === null || code.length > MAX_CODE_LENGTH) return null;
  return tokens(lowlight.highlight(language.toLowerCase(), code).children, '', 0);
}

/** @returns null for tokens that are nested too deeply. */
function tokens(
  nodes: readonly (RootContent | ElementContent)[],
  outer: string,
  depth: number,
): RichNode[] | null {
  if (depth > MAX_NESTING) return null;
  const found: RichNode[] = [];
  for (const node of nodes) {
    if (node.type === 'text') append(found, node.value);
    if (node.type !== 'element') continue;
    const className = colourOf(node.properties.className) ?? outer;
    const inner = tokens(node.children, className, depth + 1);
    if (inner === null) return null;
    if (className !== outer) found.push(['span', { className }, inner]);
    else for (const token of inner) append(found, token);
  }
  return found;
}

function append(nodes: RichNode[], node: RichNode): void {
  const last = nodes.at(-1);
  if (node === '') return;
  if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node;
  else nodes.push(node);
}

function colourOf(scopes: unknown): string | undefined {
  return Array.isArray(scopes) ? COLOURS[String(scopes[0])] : undefined;
}
