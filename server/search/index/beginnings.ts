import { DatabaseSync } from 'node:sqlite';
import { TOKENIZER } from './search-database.ts';

/** The length of the shortest words that the stemmer changes. */
const SHORTEST = 3;
/** Limit for the words to read, the shortest first. Longer words have the same stems. */
const MAX_WORDS = 64;

/**
 * Finds words that begin with a word of the query, and that FTS5 misses. The stemmer turns `pay` into `pai`,
 * which does not match `payout`. Unicode does not decompose `ł`, so `lodz` does not match `łodz`.
 */
export function createBeginnings(db: DatabaseSync) {
  const beginning = db.prepare(
    `select word from words where plain >= ? and plain < ? order by length(plain) limit ${MAX_WORDS}`,
  );
  // The index's stemmer, on small tables in memory.
  const stemming = new DatabaseSync(':memory:');
  stemming.exec(
    `create virtual table words using fts5 (word, tokenize = '${TOKENIZER}');
     create virtual table stems using fts5vocab (words, instance)`,
  );
  const insert = stemming.prepare('insert into words (rowid, word) values (?, ?)');
  const stems = stemming.prepare('select term from stems order by doc');

  function stemsOf(words: readonly string[]): readonly string[] {
    stemming.exec('delete from words');
    words.forEach((word, at) => void insert.run(at, word));
    return stems.all().map(({ term }) => String(term));
  }

  return {
    /** @param word in plain letters. @returns longer words of the index that FTS5 misses. */
    missedBy(word: string): readonly string[] {
      if (word.length < SHORTEST) return [];
      const longer = beginning.all(word, `${word}\u{10ffff}`).map(row => String(row.word));
      if (longer.length === 0) return [];
      const [own = '', ...others] = stemsOf([word, ...longer]);
      const missed = new Map<string, string>();
      others.forEach((stem, at) => {
        if (!stem.startsWith(own) && !missed.has(stem)) missed.set(stem, longer[at] ?? '');
      });
      return [...missed.values()];
    },
    close: () => stemming.close(),
  };
}
