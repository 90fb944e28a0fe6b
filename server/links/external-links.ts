import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Verdict } from './resolve-link.ts';
import type { Network } from './visit-address.ts';

const VISIT_EVERY_MS = 1_000;
const WEEK_MS = 7 * 86_400_000;
/** How long an inconclusive response counts, in ms. */
const DAY_MS = 86_400_000;
/** Limit for the addresses whose verdicts are remembered. Further addresses are not visited. */
const MAX_KNOWN = 20_000;
const REPORT_AFTER = 60;

export interface ExternalLinksOptions {
  readonly file: string;
  readonly mayRun: () => boolean;
  readonly publicOrigin: string | null;
  readonly onChange: () => void;
  readonly network?: Network | undefined;
  readonly visitEveryMs?: number | undefined;
}

interface Known {
  readonly at: number;
  /** Null if the response says nothing about the link. */
  readonly verdict: Verdict | null;
}

/** Checks links to other sites: one address a second, each address once a week. */
export class ExternalLinks {
  readonly #options: ExternalLinksOptions;
  readonly #stopped = new AbortController();
  #known: Map<string, Known> | null = null;
  #wanted: ReadonlySet<string> = new Set();
  #running: Promise<void> | null = null;

  constructor(options: ExternalLinksOptions) {
    this.#options = options;
  }

  verdictOf(href: string): Verdict | null {
    const verdict = this.#known?.get(keyOf(href))?.verdict ?? null;
    const isNameless = verdict?.kind === 'dead' && verdict.isNameless;
    return isNameless && !this.#hasAnswers ? null : verdict;
  }

  /** Whether any site has answered. If none has, this machine may have no access to the internet. */
  get #hasAnswers(): boolean {
    const known = [...(this.#known?.values() ?? [])];
    return known.some(({ verdict }) => verdict !== null && !('isNameless' in verdict));
  }

  /** @param hrefs all current links to other sites. Verdicts on other links are forgotten. */
  want(hrefs: Iterable<string>): void {
    this.#wanted = new Set([...hrefs].map(keyOf).slice(0, MAX_KNOWN));
    if (this.#options.mayRun()) this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  stop(): void {
    this.#stopped.abort();
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { visitEveryMs = VISIT_EVERY_MS, publicOrigin } = this.#options;
    const { signal } = this.#stopped;
    this.#known ??= await this.#saved();
    const { visitAddress } = await import('./visit-address.ts');
    let visits = 0;
    for (let href = this.#next(); href !== undefined && !signal.aborted; href = this.#next()) {
      const agent = `link check of ${publicOrigin ?? 'a site'}`;
      const visit = visitAddress(href, agent, signal, this.#options.network).catch(() => null);
      this.#known.set(href, { at: Date.now(), verdict: await visit });
      visits += 1;
      if (visits % REPORT_AFTER === 0) await this.#save();
      await delay(visitEveryMs, undefined, { signal, ref: false }).catch(() => {});
    }
    if (visits > 0 && !signal.aborted) await this.#save();
  }

  #next(): string | undefined {
    if (!this.#options.mayRun()) return undefined;
    for (const href of this.#wanted) {
      const { at = 0, verdict = null } = this.#known?.get(href) ?? {};
      if (Date.now() - at > (verdict === null ? DAY_MS : WEEK_MS)) return href;
    }
    return undefined;
  }

  async #saved(): Promise<Map<string, Known>> {
    try {
      return new Map(JSON.parse(await readFile(this.#options.file, 'utf8')) as [string, Known][]);
    } catch {
      return new Map();
    }
  }

  async #save(): Promise<void> {
    this.#known = new Map([...(this.#known ?? [])].filter(([href]) => this.#wanted.has(href)));
    await writeFile(this.#options.file, JSON.stringify([...this.#known])).catch(() => {});
    this.#options.onChange();
  }
}

/** @returns the address without its hash, which no server gets. */
function keyOf(href: string): string {
  return href.split('#', 1)[0] ?? href;
}
