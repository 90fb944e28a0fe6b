import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { MarkedText } from '../../../shared/payload/search-data.ts';
import { siteTypes } from '../../../site/types.ts';
import { plainLetters } from '../../addresses/slug-of-name.ts';
import { editDistance } from '../../config/edit-distance.ts';
import type { SearchAnswer, SearchedType, SearchHit, SearchQuery } from '../search-types.ts';
import { createBeginnings } from './beginnings.ts';
import { cutsOf, facetsOf, mayHaveTypo, wordsOf } from './words.ts';

/** Limit for ranking: 50,000 hits take 40 ms. Above it, only the newest hits and title hits are ranked. */
const MAX_RANKED = 8_000;
const RANKED_OF_MANY = 3_000;
/** The weights of title, headings, description, author, tags, body and facets. */
const RANK = 'bm25(texts, 10, 4, 4, 6, 6, 1, 0)';
/** The rank of an entry with the words in its title. Products and pages come before articles. */
const NAMED = `(select 1 + (type <> '${siteTypes.article.path}') from entries where entries.id = texts.rowid)`;
/** The most words to search if no entry has all words of a query. Each further word doubles the work. */
const MAX_PARTIAL_WORDS = 5;
/** The share of texts above which a word, such as `how`, is not rare. */
const FREQUENT_PART = 1 / 3;
const MAX_NEAREST = 5;
const MAX_CANDIDATES = 200;
const SNIPPET_WORDS = 32;
/** The characters around a hit. Texts contain none of them (`plain-text.ts`). */
const HIT = '\u0002';
const HIT_END = '\u0003';

type Row = Record<string, SQLOutputValue>;

/** The part of a result that does not depend on the time. */
type Found = Omit<SearchAnswer, 'until'>;

export class Finder {
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #beginnings: ReturnType<typeof createBeginnings>;

  constructor(db: DatabaseSync) {
    this.#sql = statementsOf(db);
    this.#beginnings = createBeginnings(db);
  }

  find(query: SearchQuery): Found {
    const words = queryWords(query.text);
    const facets = this.#filtersOf(query);
    if (words.length === 0 || facets === null) return NOTHING;
    const spellings = words.map(word => [...new Set([word, plainLetters(word)])]);
    const direct = this.#answer(query, spellings, facets);
    if (direct.total > 0) return { ...NOTHING, ...direct };
    // Treat a word that no text contains as a typo.
    const near = spellings.map(word => {
      const isKnown = this.#sql.isPresent.get(matchExpression([this.#withMissed(word)], [])) !== undefined;
      return { isKnown, words: isKnown ? word : this.#nearestOf(word.at(-1) ?? '') };
    });
    const nearest = near.flatMap(({ isKnown, words }) => (isKnown ? [] : words));
    const findable = near.map(({ words }) => words).filter(words => words.length > 0);
    if (nearest.length > 0 && findable.length === words.length) {
      const corrected = this.#answer(query, findable, facets);
      if (corrected.total > 0 || words.length === 1)
        return {
          ...{ ...NOTHING, ...corrected, nearest },
          corrected: findable.map(([first]) => first).join(' '),
        };
    }
    const found = words.length === 1 ? NOTHING : this.#partly(query, findable, facets);
    return { ...NOTHING, ...found, isPartial: found.total > 0, nearest };
  }

  close(): void {
    this.#beginnings.close();
  }

  #withMissed(words: readonly string[]): readonly string[] {
    return [...new Set(words.flatMap(word => [word, ...this.#beginnings.missedBy(plainLetters(word))]))];
  }

  #uses(words: readonly string[]): number {
    return Number(this.#sql.count.get(matchExpression([words], []))?.count ?? 0);
  }

  /** @returns words of the index that differ from a word by one typo, the most frequent first. */
  #nearestOf(word: string): readonly string[] {
    if (!mayHaveTypo(word)) return [];
    const near = new Set(
      cutsOf(word).flatMap(cut =>
        this.#sql.candidates.all(cut).map(({ word: candidate }) => String(candidate)),
      ),
    );
    return [...near]
      .filter(candidate => editDistance(candidate, word) === 1)
      .map(candidate => ({
        candidate,
        texts: this.#uses([candidate]) || this.#uses(this.#withMissed([candidate])),
      }))
      .filter(({ texts }) => texts > 0)
      .toSorted((a, b) => b.texts - a.texts)
      .slice(0, MAX_NEAREST)
      .map(({ candidate }) => candidate);
  }

  #filtersOf({ type, category }: SearchQuery): readonly string[] | null {
    if (category === null) return facetsOf(type, null);
    const [id] = this.#sql.categoriesOf.all(category).map(row => String(row.id));
    return id === undefined ? null : facetsOf(type, id);
  }

  #hitsOf(ids: readonly number[], match: string, { hasSnippets }: SearchQuery): readonly SearchHit[] {
    const texts = new Map(
      (hasSnippets ? this.#sql.shown : this.#sql.titleOnly)
        .all(match, JSON.stringify(ids))
        .map(row => [Number(row.id), row]),
    );
    return ids.flatMap(id => {
      const [row, text] = [this.#sql.entry.get(id), texts.get(id)];
      if (!row || !text) return [];
      const { category, categorySlug: slug } = row;
      return {
        type: String(row.type) as SearchedType,
        slug: String(row.slug),
        category: slug === null ? null : { name: String(category), slug: String(slug) },
        title: partsOf(text.title),
        snippet: hasSnippets ? bestOf(text) : [],
        date: row.date === null ? null : Number(row.date),
      };
    });
  }

  #answer(
    query: SearchQuery,
    asked: readonly (readonly string[])[],
    facets: readonly string[],
    atLeast = asked.length,
  ): Pick<Found, 'total' | 'hits'> {
    const words = asked.map(words => this.#withMissed(words));
    const match = matchExpression(words, facets, { atLeast });
    const total = Number(this.#sql.count.get(match)?.count ?? 0);
    if (total === 0) return { total, hits: [] };
    const offset = (query.page - 1) * query.size;
    const ranking = total <= MAX_RANKED ? this.#sql.best : this.#sql.bestOfMany;
    const rows = ranking.all(
      match,
      matchExpression(words, facets, { atLeast, columns: 'title' }),
      query.size,
      offset,
    );
    const ids = rows.map(({ id }) => Number(id));
    return { total, hits: this.#hitsOf(ids, match, query) };
  }

  /** Finds entries with as many rare words as possible, because no entry has all words. */
  #partly(
    query: SearchQuery,
    asked: readonly (readonly string[])[],
    facets: readonly string[],
  ): Pick<Found, 'total' | 'hits'> {
    const byUse = asked
      .map(words => ({ words, texts: this.#uses(this.#withMissed(words)) }))
      .toSorted((a, b) => a.texts - b.texts);
    const most = Number(this.#sql.all.get()?.count ?? 0) * FREQUENT_PART;
    const rare = byUse.filter(({ texts }) => texts <= most);
    const chosen = (rare.length > 0 ? rare : byUse).slice(0, MAX_PARTIAL_WORDS).map(({ words }) => words);
    for (let atLeast = chosen.length; atLeast > 0; atLeast -= 1) {
      const found = this.#answer(query, chosen, facets, atLeast);
      if (found.total > 0) return found;
    }
    return NOTHING;
  }
}

const NOTHING: Found = { total: 0, hits: [], corrected: null, isPartial: false, nearest: [] };

function statementsOf(db: DatabaseSync) {
  const marked = (column: number) => `highlight(texts, ${column}, '${HIT}', '${HIT_END}')`;
  const snippet = (column: number) =>
    `snippet(texts, ${column}, '${HIT}', '${HIT_END}', '…', ${SNIPPET_WORDS})`;
  // Read all hits in one statement, because FTS5 merges the prefix matches anew for each statement. The plus
  // prevents a separate search for each id.
  const amongHits = 'from texts where texts match ? and +rowid in (select value from json_each(?))';
  return {
    count: db.prepare('select count(*) count from texts where texts match ?'),
    // Put hits in titles first, because a text with many longer words would otherwise win.
    best: db.prepare(
      `select rowid id from texts where texts match ?
     order by case when rowid in (select rowid from texts where texts match ?) then ${NAMED} else 0 end desc, ${RANK}, rowid desc limit ? offset ?`,
    ),
    bestOfMany: db.prepare(
      `with ranked as (
       select * from (select rowid id, 0 inTitle, ${RANK} place from texts where texts match ? order by rowid desc limit ${RANKED_OF_MANY})
       union all
       select * from (select rowid id, ${NAMED} inTitle, ${RANK} place from texts where texts match ? order by rowid desc limit ${RANKED_OF_MANY}))
     select id from ranked group by id order by max(inTitle) desc, min(place), id desc limit ? offset ?`,
    ),
    entry: db.prepare(
      `select entries.type, entries.slug, entries.date, categories.name category, categories.slug categorySlug
     from entries left join categories on categories.id = entries.category where entries.id = ?`,
    ),
    shown: db.prepare(
      `select rowid id, ${marked(0)} title, ${marked(2)} description, ${snippet(5)} body ${amongHits}`,
    ),
    titleOnly: db.prepare(`select rowid id, ${marked(0)} title ${amongHits}`),
    categoriesOf: db.prepare('select id from categories where slug = ?'),
    candidates: db.prepare(`select distinct word from cuts where cut = ? limit ${MAX_CANDIDATES}`),
    isPresent: db.prepare('select 1 from texts where texts match ? limit 1'),
    all: db.prepare('select count(*) count from entries where hidden is null'),
  };
}

function bestOf({ description, body }: Row): MarkedText {
  const inBody = partsOf(body);
  const inDescription = partsOf(description);
  const plain = inDescription.join('') === '' ? inBody : inDescription;
  return inDescription.length > 1 ? inDescription : inBody.length > 1 ? inBody : plain;
}

function partsOf(text: SQLOutputValue | undefined): MarkedText {
  return String(text ?? '')
    .replaceAll(HIT_END, HIT)
    .split(HIT);
}

/** Limit for a query. Further words are ignored. */
const MAX_WORDS = 8;
/** The shortest word that is searched as a prefix. A shorter prefix would match everything. */
const SHORTEST_BEGINNING = 2;
const ALL_TEXTS = '{title headings description author tags body}';

function queryWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].slice(0, MAX_WORDS);
}

/**
 * Builds an FTS5 expression (https://www.sqlite.org/fts5.html, 3) that also matches longer words.
 * @param words the alternatives for each word of the query. An entry must have at least `atLeast` words.
 */
function matchExpression(
  words: readonly (readonly string[])[],
  facets: readonly string[],
  { columns = ALL_TEXTS, atLeast = words.length }: { columns?: string; atLeast?: number } = {},
): string {
  const each = words.map(others => `(${others.map(beginning).join(' OR ')})`);
  const choices = choicesOf(each, atLeast).map(chosen => `(${chosen.join(' AND ')})`);
  return [`${columns} : (${choices.join(' OR ')})`, ...facets.map(facet => `facets : "${facet}"`)].join(
    ' AND ',
  );
}

function choicesOf<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return items.flatMap((item, at) =>
    choicesOf(items.slice(at + 1), count - 1).map(others => [item, ...others]),
  );
}

/** Quotes a word. Words contain only letters and digits, so none can end the quotes. */
function beginning(word: string): string {
  return word.length < SHORTEST_BEGINNING ? `"${word}"` : `"${word}" OR "${word}" *`;
}
