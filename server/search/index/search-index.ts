import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { plainLetters } from '../../addresses/slug-of-name.ts';
import type {
  PlacedArticle,
  SearchAnswer,
  SearchDocument,
  SearchedType,
  SearchNames,
  SearchQuery,
  SearchRow,
  SearchWork,
  TypeState,
} from '../search-types.ts';
import { plainText } from './plain-text.ts';
import { isDamaged } from './search-database.ts';
import { Finder } from './search-finder.ts';
import { cutsOf, facetsOf, mayHaveTypo, wordsOf } from './words.ts';

const ALWAYS = Number.MIN_SAFE_INTEGER + 1;
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
/** Limit for known words, which are not written again. Most words of a text are common. */
const MAX_KNOWN_WORDS = 50_000;

export class SearchIndex implements SearchWork {
  readonly #db: DatabaseSync;
  readonly #clock: () => number;
  readonly #sql: ReturnType<typeof statementsOf>;
  /** Entries due up to this time, in ms since the epoch, are visible, except those that lack a category. */
  #shownUntil = BEFORE_ALL;
  readonly #knownWords = new Set<string>();
  readonly #finder: Finder;

  /** @param db an open database from `openDatabase`. @param clock in ms since the epoch. */
  constructor(db: DatabaseSync, clock: () => number = Date.now) {
    this.#db = db;
    this.#clock = clock;
    this.#sql = statementsOf(db);
    this.#finder = new Finder(db);
  }

  state(type: SearchedType): TypeState {
    const row = this.#sql.stateOf.get(type);
    return { count: Number(row?.count ?? 0), stamp: String(row?.stamp ?? '') };
  }

  put(type: SearchedType, rows: readonly SearchRow[]): void {
    this.#inTransaction(() => each(rows, row => this.#put(type, row)));
  }

  remove(type: SearchedType, ids: readonly string[]): void {
    this.#inTransaction(() => each(ids, id => this.#remove(type, id)));
  }

  keep(type: SearchedType, ids: readonly string[]): boolean {
    const present = new Set(ids);
    const known = this.#db
      .prepare('select entry from entries where type = ?')
      .all(type)
      .map(({ entry }) => String(entry));
    const gone = known.filter(id => !present.has(id));
    this.#inTransaction(() => each(gone, id => this.#remove(type, id)));
    return new Set([...known, ...present]).size === known.length;
  }

  find(query: SearchQuery): SearchAnswer {
    const now = this.#clock();
    this.#showDue(now);
    const due = this.#sql.nextDate.get({ now })?.due ?? null;
    return { ...this.#finder.find(query), until: due === null ? null : Number(due) };
  }

  articleOf(slug: string): PlacedArticle | null {
    const row = this.#sql.articleBySlug.get(slug);
    if (!row) return null;
    const date = new Date(Number(row.date)).toISOString();
    return { id: String(row.id), date, category: String(row.category) };
  }

  close(): void {
    this.#finder.close();
    this.#db.close();
  }

  #inTransaction<T>(work: () => T): T {
    this.#db.exec('begin immediate');
    try {
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      // Check first, because some errors, such as a full disk, end the transaction.
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  #isShown({ category, from, until }: SearchDocument): boolean {
    const now = this.#clock();
    if ((from !== null && from > now) || (until !== null && until <= now)) return false;
    return category === null || this.#sql.isCategory.get(category) !== undefined;
  }

  #put(type: string, { id: entry, stamp, document }: SearchRow): void {
    const before = this.#sql.entryOf.get(type, entry);
    const shown = document !== null && this.#isShown(document);
    const hidden = shown ? null : document === null ? '' : JSON.stringify(document);
    const { slug = null, category = null, author = null, date = null, from, until = null } = document ?? {};
    const places: SQLInputValue[] = [slug, category, author?.id ?? null, date];
    const values: SQLInputValue[] = [...places, from ?? ALWAYS, until, stamp, hidden];
    if (before) {
      if (before.hidden === null) this.#sql.deleteText.run(Number(before.id));
      this.#sql.updateEntry.run(...values, Number(before.id));
    } else this.#sql.insertEntry.run(type, entry, ...values);
    const id = Number(before ? before.id : this.#sql.entryOf.get(type, entry)?.id);
    if (before) this.#sql.deleteTagged.run(id);
    (document?.tags ?? []).forEach((tag, place) => void this.#sql.insertTagged.run(id, tag, place));
    if (shown) this.#addText(id, type, document);
  }

  #tagNamesOf(id: number) {
    return this.#sql.tagsOf
      .all(id)
      .map(({ name }) => name)
      .join(' · ');
  }

  #addText(id: number, type: string, document: SearchDocument): void {
    const { title, h1, description, author, category, body } = document;
    const { headings, text } = plainText(JSON.parse(body));
    const allHeadings = h1 === null || h1 === title ? headings : `${h1} · ${headings}`;
    const name = author && String(this.#sql.authorOf.get(author.id)?.name ?? author.name);
    const texts = [title, allHeadings, description ?? '', name ?? '', this.#tagNamesOf(id), text];
    this.#sql.insertText.run(id, ...texts, facetsOf(type, category).join(' '));
    for (const word of new Set(texts.flatMap(wordsOf))) this.#learn(word);
  }

  #learn(word: string): void {
    const plain = plainLetters(word);
    const hasNeighbours = mayHaveTypo(plain);
    if ((!hasNeighbours && plain === word) || this.#knownWords.has(word)) return;
    if (this.#sql.insertWord.run(plain, word).changes > 0 && hasNeighbours)
      for (const cut of cutsOf(plain)) this.#sql.insertCut.run(cut, plain);
    if (this.#knownWords.size >= MAX_KNOWN_WORDS) this.#knownWords.clear();
    this.#knownWords.add(word);
  }

  #remove(type: string, entry: string): void {
    const row = this.#sql.entryOf.get(type, entry);
    if (!row) return;
    this.#sql.deleteText.run(Number(row.id));
    this.#sql.deleteTagged.run(Number(row.id));
    this.#sql.deleteEntry.run(Number(row.id));
  }

  /** Reads only ids. All documents together may have hundreds of megabytes, so they are read one by one. */
  #dueAt(now: number) {
    return this.#sql.due.all({ after: this.#shownUntil, now }).map(({ id }) => Number(id));
  }

  #showDue(now: number): void {
    const ids = this.#dueAt(now);
    const over = this.#sql.over.all(now).map(({ id }) => Number(id));
    try {
      if (ids.length + over.length > 0)
        this.#inTransaction(() => {
          each(ids, id => this.#show(id));
          each(over, id => {
            this.#sql.setHidden.run('', id);
            this.#sql.deleteText.run(id);
          });
        });
      this.#shownUntil = now;
    } catch (error) {
      if (isDamaged(error)) throw error;
      // Continue on a full disk, so that other entries are found. The next query retries.
    }
  }

  #show(id: number): void {
    const { type, hidden } = this.#sql.hiddenOf.get(id) ?? {};
    this.#sql.setHidden.run(null, id);
    this.#addText(id, String(type), JSON.parse(String(hidden)));
  }

  /** Removes the text of an entry from the index, and stores it until the entry is visible again. */
  #hide(id: number): void {
    const { headings, body, ...text } = this.#sql.textOf.get(id) ?? {};
    const { author, ...entry } = this.#sql.fieldsOf.get(id) ?? {};
    const document = {
      ...{ ...entry, title: text.title, h1: headings, description: text.description },
      ...{ author: author === null ? null : { id: author, name: text.author }, body: JSON.stringify(body) },
    };
    this.#sql.setHidden.run(JSON.stringify(document), id);
    this.#sql.deleteText.run(id);
  }

  names({ categories, authors, tags }: SearchNames): void {
    const renamed = this.#db.prepare(
      `update texts set author = ? where rowid in (select id from entries where author = ? and hidden is null)`,
    );
    const known = this.#namesIn('authors');
    this.#inTransaction(() => {
      this.#renameTags(tags);
      for (const { id, name } of authors) {
        if (known.get(id) === name) continue;
        this.#db.prepare('insert or replace into authors values (?, ?)').run(id, name);
        renamed.run(name, id);
        for (const word of wordsOf(name)) this.#learn(word);
      }
      this.#db.exec('delete from categories');
      for (const { id, name, slug } of categories)
        this.#db.prepare('insert or replace into categories values (?, ?, ?)').run(id, name, slug);
      this.#moveByCategory();
    });
  }

  #namesIn(table: 'authors' | 'tags'): ReadonlyMap<string, string> {
    const rows = this.#db.prepare(`select id, name from ${table}`).all();
    return new Map(rows.map(({ id, name }) => [String(id), String(name)]));
  }

  #renameTags(tags: SearchNames['tags']): void {
    const before = this.#namesIn('tags');
    const now = new Map(tags.map(({ id, name }) => [id, name]));
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      id => before.get(id) !== now.get(id),
    );
    this.#db.exec('delete from tags');
    for (const [id, name] of now) this.#db.prepare('insert into tags values (?, ?)').run(id, name);
    const shownWith = this.#db.prepare(
      'select id from tagged join entries using (id) where tag = ? and hidden is null',
    );
    const setTags = this.#db.prepare('update texts set tags = ? where rowid = ?');
    const ids = new Set(changed.flatMap(tag => shownWith.all(tag).map(({ id }) => Number(id))));
    for (const id of ids) setTags.run(this.#tagNamesOf(id), id);
    for (const id of changed) for (const word of wordsOf(now.get(id) ?? '')) this.#learn(word);
  }

  /** Hides articles without their category, and shows articles whose category exists again. */
  #moveByCategory(): void {
    for (const { id } of this.#sql.withoutCategory.all()) this.#hide(Number(id));
    this.#shownUntil = BEFORE_ALL;
    for (const id of this.#dueAt(this.#clock())) this.#show(id);
  }
}

function each<T>(items: readonly T[], work: (item: T) => void): void {
  for (const item of items) work(item);
}

function statementsOf(db: DatabaseSync) {
  const statement = (sql: string) => db.prepare(sql);
  return {
    stateOf: statement(`select count(*) count, coalesce(max(stamp), '') stamp from entries where type = ?`),
    entryOf: statement('select id, hidden from entries where type = ? and entry = ?'),
    insertEntry: statement(
      'insert into entries (type, entry, slug, category, author, date, due, until, stamp, hidden) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    updateEntry: statement(
      'update entries set slug = ?, category = ?, author = ?, date = ?, due = ?, until = ?, stamp = ?, hidden = ? where id = ?',
    ),
    deleteEntry: statement('delete from entries where id = ?'),
    insertText: statement(
      'insert into texts (rowid, title, headings, description, author, tags, body, facets) values (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    deleteText: statement('delete from texts where rowid = ?'),
    insertWord: statement('insert or ignore into words values (?, ?)'),
    insertCut: statement('insert or ignore into cuts values (?, ?)'),
    isCategory: statement('select 1 from categories where id = ?'),
    setHidden: statement('update entries set hidden = ? where id = ?'),
    textOf: statement('select title, headings, description, author, body from texts where rowid = ?'),
    fieldsOf: statement('select slug, category, author, date, due "from", until from entries where id = ?'),
    authorOf: statement('select name from authors where id = ?'),
    insertTagged: statement('insert or replace into tagged values (?, ?, ?)'),
    deleteTagged: statement('delete from tagged where id = ?'),
    tagsOf: statement(
      'select tags.id, tags.name from tagged join tags on tags.id = tagged.tag where tagged.id = ? order by place',
    ),
    due: statement(
      `select id from entries where hidden <> '' and due > :after and due <= :now and (until is null or until > :now)
     and (category is null or category in (select id from categories))`,
    ),
    withoutCategory: statement(
      `select id from entries where category is not null and hidden is null and category not in (select id from categories)`,
    ),
    articleBySlug: statement(
      `select entries.entry id, entries.date, categories.slug category
     from entries join categories on categories.id = entries.category
     where entries.slug = ? and entries.date is not null`,
    ),
    hiddenOf: statement('select type, hidden from entries where id = ?'),
    over: statement('select id from entries where until <= ? and hidden is null'),
    nextDate: statement(
      `select min(due) due from (select due from entries where hidden <> '' and due > :now
     union all select until from entries where until > :now and hidden is null)`,
    ),
  };
}
