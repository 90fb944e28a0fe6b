import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { MarkedText } from '../../shared/payload/search-data.ts';
import { plainLetters } from '../content/slugs/plain-letters.ts';
import { createBeginnings } from './beginnings.ts';
import { facetsOf } from './facets.ts';
import { matchExpression, queryWords } from './match-query.ts';
import type { SearchAnswer, SearchedType, SearchHit, SearchQuery } from './search-types.ts';
import { cutsOf, isOneTypo, mayHaveTypo } from './words.ts';

/**
 * Among more hits than this not all are compared: the rank of 50,000 hits takes 40 ms. A word that so many texts have says little about any of them,
 * so those with the word in the title come first, and then the ones that were changed last.
 */
const MAX_RANKED = 8_000;
/** How many of them are compared. */
const RANKED_OF_MANY = 3_000;
/** The weights of the columns: title, headings, description, author, tags, body, facets. */
const RANK = 'bm25(texts, 10, 4, 4, 6, 6, 1, 0)';
/** Where no entry has all words of a query, its rarest words count. Each further one doubles the work. */
const MAX_PARTIAL_WORDS = 5;
/** A word in a greater part of all texts, such as `how`, says nothing there. */
const FREQUENT_PART = 1 / 3;
/** Words in the place of one that no text has. */
const MAX_NEAREST = 5;
/** Candidates that are compared with a word. */
const MAX_CANDIDATES = 200;
/** The words around the hits in a snippet. */
const SNIPPET_WORDS = 32;
/** The characters before and after a hit. Texts have none of them (`plain-text.ts`). */
const HIT = '\u0002';
const HIT_END = '\u0003';

type Row = Record<string, SQLOutputValue>;

/** The answer of the tables to a query, which does not depend on the time. */
type Found = Omit<SearchAnswer, 'until'>;

/** Finds entries in the tables of `search-database.ts`. */
export function createFinder(db: DatabaseSync): { find(query: SearchQuery): Found; close(): void } {
  const count = db.prepare('select count(*) count from texts where texts match ?');
  // A text with many of the words that begin with a query's word would come before a title that has one of them.
  const best = db.prepare(
    `select rowid id from texts where texts match ?
     order by rowid in (select rowid from texts where texts match ?) desc, ${RANK}, rowid desc limit ? offset ?`,
  );
  const bestOfMany = db.prepare(
    `with ranked as (
       select * from (select rowid id, 0 inTitle, ${RANK} place from texts where texts match ? order by rowid desc limit ${RANKED_OF_MANY})
       union all
       select * from (select rowid id, 1 inTitle, ${RANK} place from texts where texts match ? order by rowid desc limit ${RANKED_OF_MANY}))
     select id from ranked group by id order by max(inTitle) desc, min(place), id desc limit ? offset ?`,
  );
  const entry = db.prepare(
    `select entries.type, entries.slug, entries.date, categories.name category, categories.slug categorySlug
     from entries left join categories on categories.id = entries.category where entries.id = ?`,
  );
  const marked = (column: number) => `highlight(texts, ${column}, '${HIT}', '${HIT_END}')`;
  const snippet = (column: number) =>
    `snippet(texts, ${column}, '${HIT}', '${HIT_END}', '…', ${SNIPPET_WORDS})`;
  // All hits at once: FTS5 joins the beginnings of a query anew for each statement. The plus keeps it from one search for each id.
  const amongHits = 'from texts where texts match ? and +rowid in (select value from json_each(?))';
  const shown = db.prepare(
    `select rowid id, ${marked(0)} title, ${marked(2)} description, ${snippet(5)} body ${amongHits}`,
  );
  const titleOnly = db.prepare(`select rowid id, ${marked(0)} title ${amongHits}`);
  const categoriesOf = db.prepare('select id from categories where slug = ?');
  const candidates = db.prepare(`select distinct word from cuts where cut = ? limit ${MAX_CANDIDATES}`);
  const isPresent = db.prepare('select 1 from texts where texts match ? limit 1');
  const all = db.prepare('select count(*) count from entries where hidden is null');
  const beginnings = createBeginnings(db);
  const withMissed = (words: readonly string[]) => [
    ...new Set(words.flatMap(word => [word, ...beginnings.missedBy(plainLetters(word))])),
  ];
  const uses = (words: readonly string[]) => Number(count.get(matchExpression([words], []))?.count ?? 0);

  /** @returns words of the index with one typo less, those in most texts first. */
  function nearestOf(word: string): readonly string[] {
    if (!mayHaveTypo(word)) return [];
    const near = new Set(
      cutsOf(word).flatMap(cut => candidates.all(cut).map(({ word: candidate }) => String(candidate))),
    );
    return [...near]
      .filter(candidate => isOneTypo(candidate, word))
      .map(candidate => ({ candidate, texts: uses([candidate]) || uses(withMissed([candidate])) }))
      .filter(({ texts }) => texts > 0)
      .toSorted((a, b) => b.texts - a.texts)
      .slice(0, MAX_NEAREST)
      .map(({ candidate }) => candidate);
  }

  /** @returns the facets of a query's filters; null for a category that does not exist. */
  function filtersOf({ type, category }: SearchQuery): readonly string[] | null {
    if (category === null) return facetsOf(type, null);
    const [id] = categoriesOf.all(category).map(row => String(row.id));
    return id === undefined ? null : facetsOf(type, id);
  }

  /** @returns the hits with these ids, in their order. */
  function hitsOf(ids: readonly number[], match: string, { hasSnippets }: SearchQuery): readonly SearchHit[] {
    const texts = new Map(
      (hasSnippets ? shown : titleOnly).all(match, JSON.stringify(ids)).map(row => [Number(row.id), row]),
    );
    return ids.flatMap(id => {
      const [row, text] = [entry.get(id), texts.get(id)];
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

  function answer(
    query: SearchQuery,
    asked: readonly (readonly string[])[],
    facets: readonly string[],
    atLeast = asked.length,
  ): Pick<Found, 'total' | 'hits'> {
    const words = asked.map(withMissed);
    const match = matchExpression(words, facets, { atLeast });
    const total = Number(count.get(match)?.count ?? 0);
    if (total === 0) return { total, hits: [] };
    const offset = (query.page - 1) * query.size;
    const ranking = total <= MAX_RANKED ? best : bestOfMany;
    const rows = ranking.all(
      match,
      matchExpression(words, facets, { atLeast, columns: 'title' }),
      query.size,
      offset,
    );
    const ids = rows.map(({ id }) => Number(id));
    return { total, hits: hitsOf(ids, match, query) };
  }

  /** @returns the entries with the most of the words that tell texts apart, where none has all words. */
  function partly(
    query: SearchQuery,
    asked: readonly (readonly string[])[],
    facets: readonly string[],
  ): Pick<Found, 'total' | 'hits'> {
    const byUse = asked
      .map(words => ({ words, texts: uses(withMissed(words)) }))
      .toSorted((a, b) => a.texts - b.texts);
    const most = Number(all.get()?.count ?? 0) * FREQUENT_PART;
    const rare = byUse.filter(({ texts }) => texts <= most);
    const chosen = (rare.length > 0 ? rare : byUse).slice(0, MAX_PARTIAL_WORDS).map(({ words }) => words);
    for (let atLeast = chosen.length; atLeast > 0; atLeast -= 1) {
      const found = answer(query, chosen, facets, atLeast);
      if (found.total > 0) return found;
    }
    return NOTHING;
  }

  return {
    find(query) {
      const words = queryWords(query.text);
      const facets = filtersOf(query);
      if (words.length === 0 || facets === null) return NOTHING;
      const spellings = words.map(word => [...new Set([word, plainLetters(word)])]);
      const direct = answer(query, spellings, facets);
      if (direct.total > 0) return { ...NOTHING, ...direct };
      // A word that no text has is taken for a typo of one that texts have.
      const near = spellings.map(word => {
        const isKnown = isPresent.get(matchExpression([withMissed(word)], [])) !== undefined;
        return { isKnown, words: isKnown ? word : nearestOf(word.at(-1) ?? '') };
      });
      const nearest = near.flatMap(({ isKnown, words }) => (isKnown ? [] : words));
      const findable = near.map(({ words }) => words).filter(words => words.length > 0);
      if (nearest.length > 0 && findable.length === words.length) {
        const corrected = answer(query, findable, facets);
        if (corrected.total > 0 || words.length === 1)
          return {
            ...{ ...NOTHING, ...corrected, nearest },
            corrected: findable.map(([first]) => first).join(' '),
          };
      }
      const found = words.length === 1 ? NOTHING : partly(query, findable, facets);
      return { ...NOTHING, ...found, isPartial: found.total > 0, nearest };
    },
    close: beginnings.close,
  };
}

const NOTHING: Found = { total: 0, hits: [], corrected: null, isPartial: false, nearest: [] };

/** @returns the part of the text that has a hit, else the description. */
function bestOf({ description, body }: Row): MarkedText {
  const inBody = partsOf(body);
  const inDescription = partsOf(description);
  const plain = inDescription.join('') === '' ? inBody : inDescription;
  return inDescription.length > 1 ? inDescription : inBody.length > 1 ? inBody : plain;
}

/** @returns a text in its plain and marked parts in turn. */
function partsOf(text: SQLOutputValue | undefined): MarkedText {
  return String(text ?? '')
    .replaceAll(HIT_END, HIT)
    .split(HIT);
}
