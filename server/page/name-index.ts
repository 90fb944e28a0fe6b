import { editDistance } from './edit-distance.ts';

/** Names of up to this many characters are compared letter by letter. */
const MAX_SHORT_NAME_LENGTH = 16;

/** The names of many things, prepared for comparison with other names. */
export interface NameIndex {
  /**
   * @param names of one thing.
   * @returns the likeness of each thing in the index, in its order: that of the two names that are most alike.
   */
  likeness(names: readonly string[]): Float64Array;
}

interface Name {
  letters: string;
  /** All pairs of neighbouring letters, as numbers: texts would take twice the time. */
  pairs: ReadonlySet<number>;
  /** One bit for each letter of the name. Two letters may have one bit. */
  letterBits: number;
}

/**
 * @param things the names of each thing.
 * @returns the index. A pair of letters leads to the names that have it, so names with nothing in common cost nearly nothing.
 */
export function createNameIndex(things: readonly (readonly string[])[]): NameIndex {
  const names = things.flatMap((own, thing) => [...new Set(own)].map(text => ({ thing, ...nameOf(text) })));
  const byPair = new Map<number, number[]>();
  names.forEach(({ pairs }, at) => {
    for (const pair of pairs) {
      const having = byPair.get(pair);
      if (having) having.push(at);
      else byPair.set(pair, [at]);
    }
  });
  return {
    likeness(asked) {
      const best = new Float64Array(things.length);
      for (const one of new Set(asked)) {
        const name = nameOf(one);
        const common = new Uint16Array(names.length);
        for (const pair of name.pairs)
          for (const at of byPair.get(pair) ?? []) common[at] = (common[at] ?? 0) + 1;
        names.forEach((other, at) => {
          const likeness = likenessOf(name, other, common[at] ?? 0);
          if (likeness > (best[other.thing] ?? 0)) best[other.thing] = likeness;
        });
      }
      return best;
    },
  };
}

function nameOf(letters: string): Name {
  const pairs = new Set<number>();
  let letterBits = 0;
  let before = 0;
  for (let at = 0; at < letters.length; at += 1) {
    const code = letters.charCodeAt(at);
    letterBits |= 1 << (code & 31);
    if (at > 0) pairs.add(before * 65_536 + code);
    before = code;
  }
  return { letters, pairs, letterBits };
}

/**
 * @param common the number of pairs that both names have.
 * @returns 1 for equal names, 0 for names with nothing in common: the greater of two measures. Dice's coefficient of the pairs tolerates
 * words in another order. The edit distance tolerates a typing error in a short name.
 */
function likenessOf(a: Name, b: Name, common: number): number {
  const dice = common === 0 ? 0 : (2 * common) / (a.pairs.size + b.pairs.size);
  const longest = Math.max(a.letters.length, b.letters.length);
  if (longest > MAX_SHORT_NAME_LENGTH || longest < 3) return dice;
  const mostEdits = Math.ceil(longest / 4);
  if (leastEdits(a, b) > mostEdits) return dice;
  const edits = editDistance(a.letters, b.letters);
  return edits > mostEdits ? dice : Math.max(dice, 1 - edits / longest);
}

/** @returns a number of edits that is never above the distance, and costs nearly nothing: each letter that one name lacks takes an edit. */
function leastEdits(a: Name, b: Name): number {
  return Math.max(
    Math.abs(a.letters.length - b.letters.length),
    countBits(a.letterBits & ~b.letterBits),
    countBits(b.letterBits & ~a.letterBits),
  );
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
