import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EMBEDDED_ADDRESS } from '../addresses/safe-address.ts';
import { articleHtml } from '../endpoints/feeds/article-html.ts';
import type { CompilePool } from '../rich-text/compiling/compile-pool.ts';
import { UNBOUNDED } from '../wire/cut-nodes.ts';
import { Html, html } from './html.ts';

/** The file of the project, and its copy beside the bundle: the container image lacks `docs/`. */
const FILE = path.resolve(import.meta.dirname, '../../docs/runbook.md');
const COPY = path.resolve(import.meta.dirname, 'runbook.md');

type Runbook = ReadonlyMap<string, string>;

export async function readRunbook(): Promise<Runbook> {
  const read = (file: string) => readFile(file, 'utf8');
  const text = await read(FILE)
    .catch(() => read(COPY))
    .catch(() => '');
  const [, ...sections] = text.split(/^## /m);
  return new Map(
    sections.map(section => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end).trim()];
    }),
  );
}

/** @returns the text of the line with a label, such as `**Visitors notice:**`. */
export function lineOf(runbook: Runbook, title: string, label: string): string {
  const begin = `**${label}:** `;
  const line = runbook
    .get(title)
    ?.split('\n')
    .find(text => text.startsWith(begin));
  return line?.slice(begin.length).replaceAll('`', '') ?? '';
}

/** @returns the URL fragment of a section, as GitHub makes it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

const OTHER_DOCUMENT = /\[([^[\]]{1,100})\]\((?:\.\.\/)?([\w./-]{1,100})(?:#[\w-]{1,100})?\)/g;

/** Renders each section as the site renders its texts. A section that cannot be rendered stays as written. */
export async function runbookPage(runbook: Runbook, compile: CompilePool['compile']): Promise<Html> {
  const sections = await Promise.all(
    Array.from(runbook, async ([title, text]) => {
      const source = text.replaceAll(OTHER_DOCUMENT, '$1 (`$2`)');
      const media = { contentBaseUrl: EMBEDDED_ADDRESS, mediaOrigins: [] };
      const shown = await compile({ source, isJson: false, isPlain: false, media, maxSize: UNBOUNDED }).then(
        ({ tree }) => new Html(articleHtml(tree, null)),
        () => html`<pre>${text}</pre>`,
      );
      return html`<h2 id="${anchorOf(title)}">${title}</h2>${shown}`;
    }),
  );
  return html`<header><h1>Runbook</h1><p><a href="/">Back to the figures</a></p></header><main><section class="wide text">${sections}</section></main>`;
}
