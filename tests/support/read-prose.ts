import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { proseSources, readComments } from './read-comments.ts';
import { readTests, testSources } from './read-tests.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const LOG_METHOD = /^(?:debug|info|warn|error|fatal)$/;

/** A text that people read, with its place. */
export interface Prose {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** @returns the comments of the sources below the folders. */
export const commentsIn = (folders: readonly string[]): Prose[] =>
  proseSources(folders).flatMap(file => readComments(file));

/** @returns the titles of all tests, except computed ones. */
export const titlesOfTests = (): Prose[] =>
  testSources().flatMap(file =>
    readTests(file).tests.flatMap(({ line, title, kind }) =>
      title === null || kind === 'suite' ? [] : [{ file, line, text: title }],
    ),
  );

/** @returns the messages of the log entries below a folder. A choice between two texts counts as two. */
export function messagesOfLog(folder: string): Prose[] {
  return proseSources([folder])
    .filter(file => !file.endsWith('.css'))
    .flatMap(file => {
      const source = readFileSync(path.join(projectRoot, file), 'utf8');
      const found: Prose[] = [];
      new Visitor({
        CallExpression({ callee, arguments: [, message] }) {
          if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
          if (!LOG_METHOD.test(callee.property.name) || !message) return;
          const texts =
            message.type === 'ConditionalExpression' ? [message.consequent, message.alternate] : [message];
          for (const text of texts)
            if (text.type === 'Literal' && typeof text.value === 'string')
              found.push({ file, line: source.slice(0, text.start).split('\n').length, text: text.value });
        },
      }).visit(parseSync(file, source).program);
      return found;
    });
}

/**
 * @returns the paragraphs, list items and cells of the documents for people. Excluded are decisions, which
 *   keep the words of their date.
 */
export function paragraphsOfDocuments(): Prose[] {
  const documents = [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'content/README.md'],
    ...readdirSync(path.join(projectRoot, 'docs'))
      .filter(name => name.endsWith('.md') && name !== 'licences.md' && name !== 'words.md')
      .map(name => `docs/${name}`),
  ];
  return documents.flatMap(file => paragraphsOf(file, readFileSync(path.join(projectRoot, file), 'utf8')));
}

/** @returns the paragraphs, list items and cells of a Markdown text, without its code blocks. */
export function paragraphsOf(file: string, text: string): Prose[] {
  const found: { file: string; line: number; text: string }[] = [];
  let isCode = false;
  let isOpen = false;
  for (const [index, row] of text.split('\n').entries()) {
    const line = index + 1;
    if (/^\s*```/.test(row)) isCode = !isCode;
    if (isCode || /^\s*(?:```|$|\|[\s|:-]+$|<)/.test(row)) {
      isOpen = false;
      continue;
    }
    if (row.startsWith('|')) {
      for (const cell of row.split('|'))
        if (cell.trim() !== '') found.push({ file, line, text: cell.trim() });
      isOpen = false;
      continue;
    }
    const item = /^\s*(?:[-*]|\d+\.|#+|>)\s+(.*)$/.exec(row);
    const last = found.at(-1);
    if (!item && isOpen && last) last.text += ` ${row.trim()}`;
    else found.push({ file, line, text: (item?.[1] ?? row).trim() });
    isOpen = !row.startsWith('#');
  }
  return found;
}

/** @returns the sentences of a text. List items, table cells and tags such as `@param` are one each. */
export function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\b(?:e\.g|i\.e|etc|vs|no)\./gi, 'eg')
    .split(/(?<=[.!?]['"”)*]*) +(?!- )| - (?=\S)| \| |(?= @[a-z])/)
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '');
}

/** @returns the number of words in a sentence. */
export const wordsIn = (sentence: string): number =>
  sentence.split(/[\s–—]+/).filter(word => /\p{L}/u.test(word)).length;
