import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The version of the tables. A file with another version is replaced. */
const VERSION = 5;
/** The English stemmer, ignoring case and accents. */
export const TOKENIZER = 'porter unicode61 remove_diacritics 2';
const CACHE_KIB = 8_192;
/** How long a statement waits for a lock of another process, in ms. */
const BUSY_MS = 5_000;

/**
 * `entries`: one row for each entry. An entry is shown from the time `due` to the time `until`. `hidden` is
 * null for a visible entry, whose text is in `texts`. Else it is the document as JSON, or '' without one.
 * `words`: all words, each also in plain letters. `cuts`: plain words by deletion neighbourhood (`words.ts`).
 * `tagged`: the tags of each entry.
 */
const TABLES = `
create table entries (id integer primary key, type text not null, entry text not null, slug text, category text, author text, date integer,
  due integer, until integer, stamp text not null, hidden text, unique (type, entry));
create index entries_by_stamp on entries (type, stamp);
create index entries_by_slug on entries (type, slug);
create index entries_by_author on entries (author);
create index entries_hidden on entries (due) where hidden <> '';
create index entries_until on entries (until) where until is not null and hidden is null;
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

/** Result codes of SQLite (https://www.sqlite.org/rescode.html) for a damaged file and for another format. */
const DAMAGED: readonly unknown[] = [11, 26];

/** The file is unusable. Its content can be read again from the backend. */
class UnusableIndexError extends Error {}

/** Opens the database, and replaces an unusable file. After other failures, as on a full disk, it stays. */
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

/** Removes the file, which must be closed. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}

export function isDamaged(error: unknown): boolean {
  // Compare the low bits, because extended result codes have more.
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
