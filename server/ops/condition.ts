import type { Logger } from './log.ts';
import type { LogCode } from './log-codes.ts';

/** The codes with both `CODE-down` and `CODE-up`. */
type PairedCode = {
  [C in LogCode]: C extends `${infer Code}-down` ? (`${Code}-up` extends LogCode ? Code : never) : never;
}[LogCode];

export interface ConditionOptions {
  code: PairedCode;
  down: string;
  up: string;
  remedy?: string | undefined;
  /** The level of the entry about the outage. The default is `error`. */
  level?: 'warn' | 'error';
  /** A shorter outage has no log entry, in ms. */
  afterMs?: number;
  /** A monotonic clock, in ms. */
  now?: () => number;
}

/** Logs once that a thing is down, and once that it is back, however often it is called. */
export class Condition {
  readonly #log: Pick<Logger, 'warn' | 'error'>;
  readonly #options: ConditionOptions;
  readonly #now: () => number;
  #downSince: number | null = null;
  #isDown = false;
  #news: string | undefined;

  constructor(log: Pick<Logger, 'warn' | 'error'>, options: ConditionOptions) {
    this.#log = log;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether the log says that it is down. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** @param news the kind of the fault. Another kind has its entry. @returns whether this call logged it. */
  down(fields: Readonly<Record<string, unknown>>, news?: string): boolean {
    const { code, down, remedy, level = 'error', afterMs = 0 } = this.#options;
    this.#downSince ??= this.#now();
    if (this.#now() - this.#downSince < afterMs) return false;
    if (this.#isDown && (news === undefined || news === this.#news)) return false;
    this.#isDown = true;
    this.#news = news;
    this.#log[level]({ code: `${code}-down`, ...fields, ...(remedy ? { remedy } : {}) }, down);
    return true;
  }

  up(fields: Readonly<Record<string, unknown>> = {}): void {
    if (this.#isDown) this.#log.warn({ code: `${this.#options.code}-up`, ...fields }, this.#options.up);
    this.#isDown = false;
    this.#downSince = null;
  }
}

export function condition(log: Pick<Logger, 'warn' | 'error'>, options: ConditionOptions): Condition {
  return new Condition(log, options);
}
