import { editDistance } from '../../config/edit-distance.ts';

/** The longest names that are compared letter by letter. */
const MAX_SHORT_NAME_LENGTH = 16;

interface Name {
  letters: string;
  /** Pairs of adjacent letters as numbers, which are twice as fast as texts. */
  pairs: ReadonlySet<number>;
  /** One bit for each letter. Two letters may share a bit. */
  letterBits: number;
}

export type NameIndex = ReturnType<typeof createNameIndex>;

/** An index from letter pairs to names, so that names without a common pair cost almost nothing. */
export function createNameIndex(things: readonly (readonly string[])[]) {
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
    /** @returns for each thing the best likeness between one of its names and one of `asked`. */
    likeness(asked: readonly string[]): Float64Array {
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
 * Returns 1 for equal names, 0 for names without a common part. Dice's coefficient tolerates another order of
 * words; the edit distance tolerates a typo in a short name.
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

/** @returns a cheap lower bound of the edit distance: each missing letter needs an edit. */
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
