const REMEMBERED = 50;

interface RecentWarning {
  readonly at: number;
  readonly isError: boolean;
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
  /** The host of a refused request. It is text from outside. */
  readonly host: string | null;
}

/** The last warnings of the process for the ops page, without values that may be a visitor's words. */
export class RecentWarnings {
  readonly #entries: RecentWarning[] = [];

  get entries(): readonly RecentWarning[] {
    return this.#entries;
  }

  note(isError: boolean, fields: Readonly<Record<string, unknown>>, message: string): void {
    const textOf = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
    const code = textOf('code') ?? '';
    this.#entries.push({
      ...{ at: Date.now(), isError, code, message },
      ...{ remedy: textOf('remedy'), host: textOf('host') },
    });
    if (this.#entries.length > REMEMBERED) this.#entries.shift();
  }
}
