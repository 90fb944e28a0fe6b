import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A file with tables of another version is made anew. */
const VERSION = 4;
/** The English stemmer, without case and accents. */
export const TOKENIZER = 'porter unicode61 remove_diacritics 2';
/** Memory for pages of the file, in KiB. */
const CACHE_KIB = 8_192;
/** How long a statement waits for another process that has the file, in ms. */
const BUSY_MS = 5_000;

/**
 * `entries`: one row for each entry. `hidden`: the document of an entry that cannot be found now, as JSON; ''
 * without a document; null for an entry that can be found, with its text in `texts`. `due`: when it is
 * published. `words`: all words, and each in plain letters. `cuts`: plain words by their deletion
 * neighbourhood (`words.ts`). `tagged`: the tags of each entry.
 */
const TABLES = `
create table entries (id integer primary key, type text not null, entry text not null, slug text, category text, author text, date integer,
  due integer, stamp text not null, hidden text, unique (type, entry));
create index entries_by_stamp on entries (type, stamp);
create index entries_by_slug on entries (type, slug);
create index entries_by_author on entries (author);
create index entries_hidden on entries (due) where hidden <> '';
create virtual table texts using fts5 (title, headings, description, author, tags, body, facets,
  tokenize = '${TOKENIZER}', prefix = '2 3');
create table categories (id text primary key, name text not null, slug text not null);
create table authors (id text primary key, name text not null);
create table tags (id text primary key, name text not null);
create table tagged (id integer, tag text, place integer, primary key (id, tag)) without rowid;
create index tagged_by_tag on tagged (tag);
create table words (plain text, word text, primary key (plain, word)) without rowid;
create table cuts (cut text, word text, primary key (cut, word)) without rowid;
pragma user_version = ${VERSION};`;

/** Results of SQLite (https://www.sqlite.org/rescode.html): the file is damaged, or is no database. */
const DAMAGED: readonly unknown[] = [11, 26];

/** The file cannot be used; its content can be read again from the backend. */
class UnusableIndexError extends Error {}

/** Replaces an unusable file, but not a sound one that cannot be opened, as on a full disk. */
export function openDatabase(file: string): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    return opened(file);
  } catch (error) {
    if (!isDamaged(error) && !(error instanceof UnusableIndexError)) throw error;
    removeDatabase(file);
    return opened(file);
  }
}

/** The file must not be open. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}

export function isDamaged(error: unknown): boolean {
  // Extended results have more bits.
  return error instanceof Error && 'errcode' in error && DAMAGED.includes(Number(error.errcode) & 0xff);
}

function opened(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -${CACHE_KIB}`);
    const version = db.prepare('pragma user_version').get()?.user_version;
    if (version !== VERSION) {
      if (version !== 0) throw new UnusableIndexError(`the index has version ${version}`);
      db.exec(`begin immediate; ${TABLES} commit`);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
