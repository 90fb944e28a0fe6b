import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { Composer, CST, isMap, isScalar, Parser } from 'yaml';
import type { FieldState } from '../../../shared/payload/preview-notes.ts';
import { writeFileAtomically } from '../../cache/disk/write-file-atomically.ts';
import { isObject } from '../../wire/wire.ts';
import { contentSources, type Json, type Row } from '../content-types.ts';
import {
  bodyKeyOf,
  checkDates,
  FRONT_MATTER,
  isDraft,
  parseContentFile,
  type SourcedEntry,
  uploadOf,
} from '../read-content.ts';
import { stableId } from '../stable-id.ts';
import type { ContentFolder } from './content-folder.ts';
import { reasonOf } from './folder-files.ts';

export interface FieldEdit {
  readonly type: string;
  readonly id: string;
  /** The field by its name in Strapi, such as `questions.0.answer`. */
  readonly name: string;
  /** The new text. Without it the current text is read. */
  readonly value?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** Reads a text of a content file. Writes a new value only if the file is unchanged since it was read. */
export type EditFile = (edit: FieldEdit) => Promise<FieldState>;

interface FileText {
  readonly value: string;
  with(text: string): string;
}

export function folderEditor(contentDir: string, folder: ContentFolder): EditFile {
  // Make edits one after the other, so that none compares with a file that another one is about to replace.
  let last: Promise<unknown> = Promise.resolve();
  return edit => {
    const edited = last.then(() => {
      const file = folder.entryOf(edit.id)?.file ?? contentSources.find(it => it.route === edit.type)?.path;
      return editFile(contentDir, folder, edit).catch(error => ({ file, refused: reasonOf(error) }));
    });
    last = edited;
    return edited;
  };
}

async function editFile(contentDir: string, folder: ContentFolder, edit: FieldEdit): Promise<FieldState> {
  await folder.refresh();
  const entry = folder.entryOf(edit.id);
  if (!entry) throw new Error('No file has this entry');
  const file = path.join(await realpath(contentDir), entry.file);
  if ((await realpath(file)) !== file) throw new Error('A file that is a link is not written');
  const bytes = await readFile(file);
  // Refuse a file that is not in UTF-8, because writing it would change other bytes.
  const written = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const { documentId } = stableId(entry.source.type, entry.name);
  const rows = (await folder.withDrafts()).get(entry.source.route);
  const row = rows?.find(it => it.documentId === documentId);
  if (lacksRows(row, entry.values, edit.name.split('.')))
    throw new Error('A row of this list is left out, as the log says. Edit the list in its file');
  const found = textIn(entry, written, edit.name);
  if (!found) throw new Error('The file has no text of that name');
  const { value } = found;
  const updatedAt = createHash('sha256').update(bytes).digest('base64url');
  const state = { value, updatedAt, by: '', hasDrafts: isDraft(entry), file: entry.file };
  if (edit.value === undefined) return state;
  if (edit.updatedAt !== updatedAt) return { ...state, isChanged: true };
  const isUpload = (text: string) => folder.hasUpload(uploadOf(text).name);
  if (isUpload(value) && !isUpload(edit.value)) throw new Error('No file of uploads/ has that name');
  const after = found.with(edit.value);
  for (const { values } of parseContentFile(entry.source, entry.file, after)) checkDates(values);
  await writeFileAtomically(file, after, { mode: (await stat(file)).mode });
  return editFile(contentDir, folder, { type: edit.type, id: edit.id, name: edit.name });
}

/** Whether a list in the path of a field has rows that the folder skips. Later rows have other indexes. */
function lacksRows(
  row: Row | undefined,
  value: Json | undefined,
  [key, ...keys]: readonly string[],
): boolean {
  if (!row || key === undefined || !isObject(value)) return false;
  const [shown, inside] = [row.links[key], value[key]];
  if (!shown || !Array.isArray(inside)) return lacksRows(shown?.[0], inside, keys);
  const [index = '', ...rest] = keys;
  return shown.length !== inside.length || lacksRows(shown[Number(index)], inside[Number(index)], rest);
}

/** Finds a text as it is written in a file. @returns null if the field has no text there. */
function textIn({ source, file, name }: SourcedEntry, written: string, field: string): FileText | null {
  const keys = field.split('.');
  if (source.kind === 'list') {
    const index = parseContentFile(source, file, written).findIndex(row => row.name === name);
    return textAt([String(index), ...keys], written, true);
  }
  if (!file.endsWith('.md')) return textAt(keys, written, true);
  const start = written.indexOf('\n') + 1;
  const unmarked = written.replace(/^\uFEFF/, '');
  const [whole, matter = ''] = FRONT_MATTER.exec(unmarked) ?? [''];
  const put = (text: string, from: number, length: number) =>
    written.slice(0, from) + text + written.slice(from + length);
  const found = textAt(keys, matter, false);
  if (found) return { ...found, with: text => put(found.with(text), start, matter.length) };
  if (field !== bodyKeyOf(source.type)) return null;
  const body = unmarked.slice(whole.length).trimStart();
  const value = body.trimEnd();
  const isDos = !/[^\r]\n/.test(written);
  const ended = (text: string) => (isDos ? text.replaceAll(/\r?\n/g, '\r\n') : text);
  return {
    value,
    with: text => put(ended(text), written.length - body.length, value.length),
  };
}

/** Finds a text in YAML or JSON (JSON is YAML, too). `with` changes no other characters of the source. */
function textAt(keys: readonly string[], source: string, isJson: boolean): FileText | null {
  const tokens = [...new Parser().parse(source)];
  const [document] = new Composer({ keepSourceTokens: true }).compose(tokens);
  const at = (path: readonly string[]) => document?.getIn(path, true);
  const [found, row] = [at(keys), keys.slice(0, -1)];
  // For a picture, edit the name of its file. For a list item that is a text, edit that text.
  const isShort = found === undefined && /^\d+$/.test(row.at(-1) ?? '');
  const node = isMap(found) ? found.get('file', true) : isShort ? at(row) : found;
  if (!isScalar(node) || typeof node.value !== 'string' || !node.srcToken) return null;
  const { value, srcToken } = node;
  const withText = (text: string, type: { type?: 'QUOTE_DOUBLE' } = {}) => {
    if (isJson) Object.assign(srcToken, { source: JSON.stringify(text) });
    else CST.setScalarValue(srcToken, text, { afterKey: true, ...type });
    return tokens.map(token => CST.stringify(token)).join('');
  };
  return {
    value,
    with(text) {
      const after = withText(text);
      // Quote a text that YAML would read as another value, such as `true`, or would end at a comma.
      return textAt(keys, after, isJson)?.value === text ? after : withText(text, { type: 'QUOTE_DOUBLE' });
    },
  };
}
