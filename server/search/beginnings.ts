import { DatabaseSync } from 'node:sqlite';
import { TOKENIZER } from './search-database.ts';

/** A beginning of fewer letters is never changed by the stemmer. */
const SHORTEST = 3;
/** Words of the index that begin with a word of the query. The shortest are taken: longer ones have the same stems. */
const MAX_WORDS = 64;

/**
 * The index has stems, and FTS5 takes the stem of a beginning, too: `pay` becomes `pai`, with which `payout` does not begin. It also keeps letters
 * that Unicode does not decompose: `lodz` is no beginning of `łodz`. These functions find the words that are missed.
 *
 * @param db as `openDatabase` opens it.
 */
export function createBeginnings(db: DatabaseSync): {
  /** @returns words of the index that begin in plain letters with a word, and whose stems do not begin with the stem of that word. */
  missedBy(word: string): readonly string[];
  close(): void;
} {
  const beginning = db.prepare(
    `select word from words where plain >= ? and plain < ? order by length(plain) limit ${MAX_WORDS}`,
  );
  // The stemmer of the index itself, on tables of a few words in memory.
  const stemming = new DatabaseSync(':memory:');
  stemming.exec(
    `create virtual table words using fts5 (word, tokenize = '${TOKENIZER}');
     create virtual table stems using fts5vocab (words, instance)`,
  );
  const insert = stemming.prepare('insert into words (rowid, word) values (?, ?)');
  const stems = stemming.prepare('select term from stems order by doc');

  /** @returns the stem of each word. */
  function stemsOf(words: readonly string[]): readonly string[] {
    stemming.exec('delete from words');
    words.forEach((word, at) => void insert.run(at, word));
    return stems.all().map(({ term }) => String(term));
  }

  return {
    missedBy(word) {
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
