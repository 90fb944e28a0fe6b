import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The version of the tables. A file of another version is made anew. */
const VERSION = 1;
/** Memory for pages of the file, in KiB. */
const CACHE_KIB = 8_192;
/** How long a statement waits for another process that has the file, in ms. */
const BUSY_MS = 5_000;

/**
 * `entries`: a row for each entry of the backend. `hidden` has the document of an entry that cannot be found now, as JSON: '' without a document, null
 * for an entry that can be found, whose texts are in `texts` under the same id.
 * `cuts`: the words of all texts by their deletion neighbourhood (`words.ts`).
 */
const TABLES = `
create table entries (id integer primary key, type text not null, entry text not null, slug text, category text, author text, date integer,
  stamp text not null, hidden text, unique (type, entry));
create index entries_by_stamp on entries (type, stamp);
create index entries_by_author on entries (author);
create index entries_hidden on entries (date) where hidden is not null;
create virtual table texts using fts5 (title, headings, description, author, body, facets,
  tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3');
create table categories (id text primary key, name text not null, slug text not null);
create table authors (id text primary key, name text not null);
create table words (word text primary key) without rowid;
create table cuts (cut text, word text, primary key (cut, word)) without rowid;
pragma user_version = ${VERSION};`;

/**
 * Opens the file of the index, and makes it if there is none or one that cannot be used. All of it can be read again from the backend, so it is
 * written without a wait for the disk.
 */
export function openDatabase(file: string): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    return opened(file);
  } catch (error) {
    // Another process has the file: it is sound.
    if (error instanceof Error && error.message.includes('locked')) throw error;
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    return opened(file);
  }
}

function opened(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -${CACHE_KIB}`);
    const version = db.prepare('pragma user_version').get()?.user_version;
    if (version !== VERSION) {
      if (version !== 0) throw new Error(`the index has version ${version}`);
      db.exec(`begin immediate; ${TABLES} commit`);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
