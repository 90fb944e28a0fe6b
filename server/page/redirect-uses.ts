/**
 * Counts how often each redirect has answered a visitor since the start, by the id of its row. Nothing of a
 * visitor is noted. Redirects are never stored, so cache hits do not pass here.
 */
export class RedirectUses {
  readonly #uses = new Map<string, number>();

  /** @param rows the redirects of a chain, which all count. */
  note(rows: readonly string[]): void {
    for (const id of rows) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
  }

  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#uses);
  }
}
