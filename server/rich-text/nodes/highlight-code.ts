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
import { appendNode } from './node-texts.ts';

/** The longest coloured code, in characters. Normal code of this length takes about 50 ms. */
export const MAX_CODE_LENGTH = 20_000;
/** The deepest nesting of tokens, such as strings within expressions within strings. */
const MAX_NESTING = 20;

const grammars = { bash, css, diff, http, javascript, json, python, sql, typescript, xml, yaml };
const lowlight = createLowlight(grammars);

/** Labels of code blocks, by the name or alias after the opening fence. */
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
/** Add names that the grammars lack. */
lowlight.registerAlias({ bash: 'shell', json: 'json5' });

/** Class names of the highlighter's scopes. `shared/styles/code.css` has their colours. */
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

export function languageName(language: string): string | null {
  const name = language.toLowerCase();
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? null) : null;
}

/** Run it in a thread that can be ended: regular expressions of grammars may take minutes. */
export function highlight(code: string, language: string): RichNode[] | null {
  if (languageName(language) === null || code.length > MAX_CODE_LENGTH) return null;
  return tokens(lowlight.highlight(language.toLowerCase(), code).children, '', 0);
}

function tokens(
  nodes: readonly (RootContent | ElementContent)[],
  outer: string,
  depth: number,
): RichNode[] | null {
  if (depth > MAX_NESTING) return null;
  const found: RichNode[] = [];
  for (const node of nodes) {
    if (node.type === 'text') appendNode(found, node.value);
    if (node.type !== 'element') continue;
    const className = colourOf(node.properties.className) ?? outer;
    const inner = tokens(node.children, className, depth + 1);
    if (inner === null) return null;
    if (className !== outer) found.push(['span', { className }, inner]);
    else for (const token of inner) appendNode(found, token);
  }
  return found;
}

function colourOf(scopes: unknown): string | undefined {
  return Array.isArray(scopes) ? COLOURS[String(scopes[0])] : undefined;
}
