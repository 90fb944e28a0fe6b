/** Limit for the entries of a code in a minute. Further ones are only counted. */
const MOST = 10;
const MINUTE_MS = 60_000;
/** Prefixes of codes without this limit: their entries are about different things, or have another limit. */
const SEPARATE = ['browser-', 'content-', 'doctor-', 'folder-', 'http-host-', 'media-'];

interface Entry {
  readonly code: string;
  readonly repeats?: number;
}

/** After 10 warnings or errors of a code in a minute, one entry tells how many more came (decision 184). */
export class LogFloods {
  readonly #write: (isError: boolean, fields: object, message: string) => void;
  readonly #everyMs: number;
  readonly #seen = new Map<string, { times: number; isError: boolean; message: string }>();

  constructor(write: (isError: boolean, fields: object, message: string) => void, everyMs = MINUTE_MS) {
    this.#write = write;
    this.#everyMs = everyMs;
  }

  leavesOut({ code, repeats }: Entry, isError: boolean, message: string): boolean {
    if (repeats !== undefined || SEPARATE.some(begin => code.startsWith(begin))) return false;
    if (this.#seen.size === 0) setTimeout(() => this.#endMinute(), this.#everyMs).unref();
    const found = this.#seen.get(code) ?? { times: 0, isError, message };
    found.times += 1;
    this.#seen.set(code, found);
    return found.times > MOST;
  }

  #endMinute(): void {
    const floods = [...this.#seen].filter(([, { times }]) => times > MOST);
    this.#seen.clear();
    for (const [code, { times, isError, message }] of floods)
      this.#write(isError, { code, repeats: times - MOST }, message);
  }
}
