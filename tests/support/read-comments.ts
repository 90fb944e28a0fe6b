import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** Comments for tools, not for readers. */
const DIRECTIVE = /^(?:biome-ignore|@ts-|@vitest|#|!|v8 ignore|c8 ignore|eslint)/;

/** A comment. Neighbouring `//` lines count as one. */
export interface Comment {
  readonly file: string;
  readonly line: number;
  /** The text without its marks, on one line. */
  readonly text: string;
}

interface Span {
  readonly type: 'Line' | 'Block';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** @returns the scripts and stylesheets below the folders, as paths in the project with forward slashes. */
export function proseSources(folders: readonly string[]): string[] {
  return folders.flatMap(folder =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .map(file => path.posix.join(folder, file.replaceAll(path.sep, '/')))
      .filter(file => /\.(?:[cm]?tsx?|mjs|css)$/.test(file)),
  );
}

/** @returns all comments of a script or a stylesheet. */
export function readComments(
  file: string,
  text = readFileSync(path.join(projectRoot, file), 'utf8'),
): Comment[] {
  const spans = file.endsWith('.css') ? commentsOfStyles(text) : commentsOfScript(file, text);
  const groups: { start: number; text: string }[] = [];
  let lastLineEnd: number | null = null;
  for (const { type, value, start, end } of spans) {
    const bare = value.replace(/^\s*\*+ ?/gm, '').trim();
    const gap = lastLineEnd === null ? null : text.slice(lastLineEnd, start);
    const isNext = type === 'Line' && gap !== null && /^\r?\n[ \t]*$/.test(gap);
    const group = groups.at(-1);
    if (isNext && group) group.text += ` ${bare}`;
    else groups.push({ start, text: bare });
    // A comment at the end of a line of code is separate.
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    lastLineEnd = type === 'Line' && text.slice(lineStart, start).trim() === '' ? end : null;
  }
  return groups
    .map(group => ({
      file,
      line: text.slice(0, group.start).split('\n').length,
      text: group.text.replace(/\s+/g, ' ').trim(),
    }))
    .filter(comment => comment.text !== '' && !DIRECTIVE.test(comment.text));
}

/**
 * @returns the comment lines wider than code may be, without directives and addresses, which cannot be
 *   wrapped.
 */
export function wideComments(
  file: string,
  columns: number,
  text = readFileSync(path.join(projectRoot, file), 'utf8'),
): string[] {
  const spans = file.endsWith('.css') ? commentsOfStyles(text) : commentsOfScript(file, text);
  const lines = text.split('\n');
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  return spans.flatMap(({ start, end, value }) => {
    const first = lineOf(start);
    if (DIRECTIVE.test(value.trim())) return [];
    return lines.slice(first, lineOf(end) + 1).flatMap((line, index) => {
      const isWide = line.length > columns && /\s/.test(line.slice(line.search(/\S/) + 3).trim());
      return isWide ? [`${file}:${first + index + 1} has ${line.length} columns`] : [];
    });
  });
}

function commentsOfScript(file: string, text: string): Span[] {
  const { comments, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return comments;
}

function commentsOfStyles(text: string): Span[] {
  return Array.from(text.matchAll(/\/\*([\s\S]*?)\*\//g), match => ({
    type: 'Block',
    value: match[1] ?? '',
    start: match.index,
    end: match.index + match[0].length,
  }));
}
