import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { plainLetters } from '../content/slugs/plain-letters.ts';
import { facetsOf } from './facets.ts';
import { plainText } from './plain-text.ts';
import { isDamaged } from './search-database.ts';
import { createFinder } from './search-finder.ts';
import type { SearchDocument, SearchNames, SearchRow, SearchWork } from './search-types.ts';
import { cutsOf, mayHaveTypo, wordsOf } from './words.ts';

/** An entry without a date is due since then. In ms since the epoch. */
const ALWAYS = Number.MIN_SAFE_INTEGER + 1;
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
/** Words that are known to be in the table: most words of a text are common ones. */
const MAX_KNOWN_WORDS = 50_000;

/**
 * @param db as `openDatabase` opens it.
 * @param clock the present time in ms.
 * @returns the work of the index on a database.
 */
export function createSearchIndex(db: DatabaseSync, clock: () => number = Date.now): SearchWork {
  const statement = (sql: string) => db.prepare(sql);
  const stateOf = statement(
    `select count(*) count, coalesce(max(stamp), '') stamp from entries where type = ?`,
  );
  const entryOf = statement('select id, hidden from entries where type = ? and entry = ?');
  const insertEntry = statement(
    'insert into entries (type, entry, slug, category, author, date, due, stamp, hidden) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const updateEntry = statement(
    'update entries set slug = ?, category = ?, author = ?, date = ?, due = ?, stamp = ?, hidden = ? where id = ?',
  );
  const deleteEntry = statement('delete from entries where id = ?');
  const insertText = statement(
    'insert into texts (rowid, title, headings, description, author, tags, body, facets) values (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const deleteText = statement('delete from texts where rowid = ?');
  const insertWord = statement('insert or ignore into words values (?, ?)');
  const insertCut = statement('insert or ignore into cuts values (?, ?)');
  const isCategory = statement('select 1 from categories where id = ?');
  const setHidden = statement('update entries set hidden = ? where id = ?');
  const textOf = statement('select title, headings, description, author, body from texts where rowid = ?');
  const fieldsOf = statement('select slug, category, author, date, due "from" from entries where id = ?');
  const authorOf = statement('select name from authors where id = ?');
  const insertTagged = statement('insert or replace into tagged values (?, ?, ?)');
  const deleteTagged = statement('delete from tagged where id = ?');
  const tagsOf = statement(
    'select tags.id, tags.name from tagged join tags on tags.id = tagged.tag where tagged.id = ? order by place',
  );
  const due = statement(
    `select id from entries where hidden <> '' and due > ? and due <= ?
     and (type <> 'articles' or category in (select id from categories))`,
  );
  const withoutCategory = statement(
    `select id from entries where type = 'articles' and hidden is null and category not in (select id from categories)`,
  );
  const articleBySlug = statement(
    `select entries.entry id, entries.date, categories.slug category
     from entries join categories on categories.id = entries.category
     where entries.type = 'articles' and entries.slug = ? and entries.date is not null`,
  );
  const hiddenOf = statement('select type, hidden from entries where id = ?');
  const nextDate = statement(`select min(due) due from entries where hidden <> '' and due > ?`);
  /** Hidden entries that are due until this time wait for their category. In ms since the epoch. */
  let shownUntil = BEFORE_ALL;
  const knownWords = new Set<string>();
  const finder = createFinder(db);

  function inTransaction<T>(work: () => T): T {
    db.exec('begin immediate');
    try {
      const result = work();
      db.exec('commit');
      return result;
    } catch (error) {
      // Some errors, such as that of a full disk, end the transaction by themselves.
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  }

  /** An entry cannot be found before its date, and an article not without the category of its address. */
  function isShown(type: string, { category, from }: SearchDocument): boolean {
    if (from !== null && from > clock()) return false;
    return type !== 'articles' || (category !== null && isCategory.get(category) !== undefined);
  }

  function put(type: string, { id: entry, stamp, document }: SearchRow): void {
    const before = entryOf.get(type, entry);
    const shown = document !== null && isShown(type, document);
    const hidden = shown ? null : document === null ? '' : JSON.stringify(document);
    const { slug = null, category = null, author = null, date = null, from } = document ?? {};
    const values: SQLInputValue[] = [slug, category, author?.id ?? null, date, from ?? ALWAYS, stamp, hidden];
    if (before) {
      if (before.hidden === null) deleteText.run(Number(before.id));
      updateEntry.run(...values, Number(before.id));
    } else insertEntry.run(type, entry, ...values);
    const id = Number(before ? before.id : entryOf.get(type, entry)?.id);
    if (before) deleteTagged.run(id);
    (document?.tags ?? []).forEach((tag, place) => void insertTagged.run(id, tag, place));
    if (shown) addText(id, type, document);
  }

  /** @returns the names of an entry's tags that there are. */
  const tagNamesOf = (id: number) =>
    tagsOf
      .all(id)
      .map(({ name }) => name)
      .join(' · ');

  function addText(id: number, type: string, document: SearchDocument): void {
    const { title, h1, description, author, category, body } = document;
    const { headings, text } = plainText(JSON.parse(body));
    const allHeadings = h1 === null || h1 === title ? headings : `${h1} · ${headings}`;
    const name = author && String(authorOf.get(author.id)?.name ?? author.name);
    const texts = [title, allHeadings, description ?? '', name ?? '', tagNamesOf(id), text];
    insertText.run(id, ...texts, facetsOf(type, category).join(' '));
    for (const word of new Set(texts.flatMap(wordsOf))) learn(word);
  }

  function learn(word: string): void {
    const plain = plainLetters(word);
    const hasNeighbours = mayHaveTypo(plain);
    if ((!hasNeighbours && plain === word) || knownWords.has(word)) return;
    if (insertWord.run(plain, word).changes > 0 && hasNeighbours)
      for (const cut of cutsOf(plain)) insertCut.run(cut, plain);
    if (knownWords.size >= MAX_KNOWN_WORDS) knownWords.clear();
    knownWords.add(word);
  }

  function remove(type: string, entry: string): void {
    const row = entryOf.get(type, entry);
    if (!row) return;
    deleteText.run(Number(row.id));
    deleteTagged.run(Number(row.id));
    deleteEntry.run(Number(row.id));
  }

  /** @returns the hidden entries that are due since the last call and have an address. Their documents are read one by one: all of them may have hundreds of megabytes. */
  const dueAt = (now: number) => due.all(shownUntil, now).map(({ id }) => Number(id));

  /** Puts the texts of entries into the index whose dates have come. */
  function showDue(now: number): void {
    const ids = dueAt(now);
    try {
      if (ids.length > 0) inTransaction(() => each(ids, show));
      shownUntil = now;
    } catch (error) {
      if (isDamaged(error)) throw error;
      // A full disk is no reason to find nothing else. The next query tries again.
    }
  }

  function show(id: number): void {
    const { type, hidden } = hiddenOf.get(id) ?? {};
    setHidden.run(null, id);
    addText(id, String(type), JSON.parse(String(hidden)));
  }

  /** Takes the text of an entry out of the index, and keeps it for the day on which the entry can be found again. */
  function hide(id: number): void {
    const { headings, body, ...text } = textOf.get(id) ?? {};
    const { author, ...entry } = fieldsOf.get(id) ?? {};
    const document = {
      ...{ ...entry, title: text.title, h1: headings, description: text.description },
      ...{ author: author === null ? null : { id: author, name: text.author }, body: JSON.stringify(body) },
    };
    setHidden.run(JSON.stringify(document), id);
    deleteText.run(id);
  }

  function names({ categories, authors, tags }: SearchNames): void {
    const renamed = statement(
      `update texts set author = ? where rowid in (select id from entries where author = ? and hidden is null)`,
    );
    const known = new Map(
      statement('select id, name from authors')
        .all()
        .map(({ id, name }) => [id, name]),
    );
    inTransaction(() => {
      renameTags(tags);
      for (const { id, name } of authors) {
        if (known.get(id) === name) continue;
        statement('insert or replace into authors values (?, ?)').run(id, name);
        renamed.run(name, id);
        for (const word of wordsOf(name)) learn(word);
      }
      db.exec('delete from categories');
      for (const { id, name, slug } of categories)
        statement('insert or replace into categories values (?, ?, ?)').run(id, name, slug);
      moveByCategory();
    });
  }

  /** Takes the names of all tags. A tag that is not among them is found no more. */
  function renameTags(tags: SearchNames['tags']): void {
    const before = new Map(
      statement('select id, name from tags')
        .all()
        .map(({ id, name }) => [String(id), String(name)]),
    );
    const now = new Map(tags.map(({ id, name }) => [id, name]));
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      id => before.get(id) !== now.get(id),
    );
    db.exec('delete from tags');
    for (const [id, name] of now) statement('insert into tags values (?, ?)').run(id, name);
    const shownWith = statement(
      'select id from tagged join entries using (id) where tag = ? and hidden is null',
    );
    const setTags = statement('update texts set tags = ? where rowid = ?');
    const ids = new Set(changed.flatMap(tag => shownWith.all(tag).map(({ id }) => Number(id))));
    for (const id of ids) setTags.run(tagNamesOf(id), id);
    for (const id of changed) for (const word of wordsOf(now.get(id) ?? '')) learn(word);
  }

  /** Hides the articles whose category is gone, and shows those whose category has come. */
  function moveByCategory(): void {
    each(
      withoutCategory.all().map(({ id }) => Number(id)),
      hide,
    );
    shownUntil = BEFORE_ALL;
    each(dueAt(clock()), show);
  }

  return {
    state(type) {
      const row = stateOf.get(type);
      return { count: Number(row?.count ?? 0), stamp: String(row?.stamp ?? '') };
    },
    put: (type, rows) => inTransaction(() => each(rows, row => put(type, row))),
    remove: (type, ids) => inTransaction(() => each(ids, id => remove(type, id))),
    keep(type, ids) {
      const present = new Set(ids);
      const known = statement('select entry from entries where type = ?')
        .all(type)
        .map(({ entry }) => String(entry));
      const gone = known.filter(id => !present.has(id));
      inTransaction(() => each(gone, id => remove(type, id)));
      return new Set([...known, ...present]).size === known.length;
    },
    names,
    find(query) {
      const now = clock();
      showDue(now);
      const due = nextDate.get(now)?.due ?? null;
      return { ...finder.find(query), until: due === null ? null : Number(due) };
    },
    articleOf(slug) {
      const row = articleBySlug.get(slug);
      if (!row) return null;
      const date = new Date(Number(row.date)).toISOString();
      return { id: String(row.id), date, category: String(row.category) };
    },
    close() {
      finder.close();
      db.close();
    },
  };
}

function each<T>(items: readonly T[], work: (item: T) => void): void {
  for (const item of items) work(item);
}
