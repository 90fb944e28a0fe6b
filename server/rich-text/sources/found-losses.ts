import type { LoseText, TextLoss } from '../../wire/lose-text.ts';

type Kind = TextLoss['kind'];

/** Limit for a kind of finding. Further ones are counted in one line. */
const MAX_LINES = 10;

/** The findings about a text: each once, up to MAX_LINES of a kind. */
export interface FoundLosses {
  add(kind: Kind, reason: string): void;
  reportTo(lose: LoseText): void;
}

export function createFoundLosses(): FoundLosses {
  const found = new Map<Kind, Map<string, number>>();
  return {
    add(kind, reason) {
      const reasons = found.get(kind) ?? new Map<string, number>();
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      found.set(kind, reasons);
    },
    reportTo(lose) {
      for (const [kind, reasons] of found) {
        const lines = [...reasons].map(([reason, times]) =>
          times > 1 ? `${reason} (${times} times)` : reason,
        );
        for (const line of lines.slice(0, MAX_LINES)) lose(kind, line);
        const others = lines.length - MAX_LINES;
        if (others > 0) lose(kind, `and ${others} more of this kind in the same text`);
      }
    },
  };
}
