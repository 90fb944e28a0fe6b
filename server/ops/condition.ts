import type { Logger } from './log.ts';
import type { LogCode } from './log-codes.ts';

type PairedCode = {
  [C in LogCode]: C extends `${infer Code}-down` ? (`${Code}-up` extends LogCode ? Code : never) : never;
}[LogCode];

export interface ConditionOptions {
  code: PairedCode;
  down: string;
  up: string;
  remedy?: string | undefined;
  level?: 'warn' | 'error';
  afterMs?: number;
  now?: () => number;
}

/** Logs an outage once and its end once, however often it is reported. */
export class Condition {
  readonly #log: Pick<Logger, 'warn' | 'error'>;
  readonly #options: ConditionOptions;
  readonly #now: () => number;
  #downSince: number | null = null;
  #isDown = false;
  #news: string | undefined;
  #reports = 0;

  constructor(log: Pick<Logger, 'warn' | 'error'>, options: ConditionOptions) {
    this.#log = log;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether the last log entry reports an outage. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** Reports a fault. @param news the kind of fault; a new kind is logged. @returns whether it was logged. */
  down(fields: Readonly<Record<string, unknown>>, news?: string): boolean {
    const { code, down, remedy, level = 'error', afterMs = 0 } = this.#options;
    this.#downSince ??= this.#now();
    this.#reports += 1;
    if (this.#now() - this.#downSince < afterMs) return false;
    if (this.#isDown && (news === undefined || news === this.#news)) return false;
    this.#isDown = true;
    this.#news = news;
    this.#log[level]({ code: `${code}-down`, ...fields, ...(remedy ? { remedy } : {}) }, down);
    return true;
  }

  up(fields: Readonly<Record<string, unknown>> = {}): void {
    const { code, up } = this.#options;
    if (this.#isDown) this.#log.warn({ code: `${code}-up`, ...fields, failures: this.#reports }, up);
    this.#reports = 0;
    this.#isDown = false;
    this.#downSince = null;
  }
}
