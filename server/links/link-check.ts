import { setTimeout as delay } from 'node:timers/promises';
import { isGone, resolveRedirect } from '../../shared/routing/redirects.ts';
import { entryOfLink, isEntryLink } from '../addresses/entry-links.ts';
import { relationsInPath, routesOfType } from '../addresses/type-routes.ts';
import type { Invalidatable } from '../cache/tags/invalidation.ts';
import { namesAbove, parseTag } from '../cache/tags/tags.ts';
import type { ContentSource } from '../content/reading/collecting-reader.ts';
import type { OpenReader } from '../content/reading/content-reader.ts';
import { namedIds } from '../content/tags/content-tags.ts';
import type { ProblemLog } from '../decode/problem-log.ts';
import type { Logger } from '../ops/log.ts';
import type { SpareTime } from '../ops/spare-time.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { LinkNote } from '../render/page-html.ts';
import { type ContentProblem, quoted } from '../wire/decode-context.ts';
import { descriptionOf, type ServedType } from '../wire/described-types.ts';
import type { ExternalLinks } from './external-links.ts';
import { type LinkedEntry, LinkTable } from './link-table.ts';
import { LINKED_TYPES, type ReadLinkedRows, readSingles } from './linked-content.ts';
import { HERE, type Verdict } from './resolve-link.ts';

/** The delay before the first check, in ms. It must not slow down the start, the doctor and first pages. */
const BEGIN_AFTER_MS = 20_000;
const GATHER_MS = 1_000;
const RETRY_MS = 30_000;
/** The pause before everything is read again, in ms, in case a change came without an event. */
const ROUND_MS = 6 * 3_600_000;
const READ_TIMEOUT_MS = 30_000;
/** The pause before each further page of a long list, in ms, because each has long texts. */
const PAGE_EVERY_MS = 240;

export interface LinkCheckOptions {
  readonly content: Pick<ContentSource, 'api' | 'cache' | 'ask'> & { readonly openReader: OpenReader };
  readonly readRows: ReadLinkedRows;
  readonly resolve: (href: string, signal: AbortSignal) => Promise<Verdict>;
  /** Null for a content folder, whose links to other sites are not visited. */
  readonly external: ExternalLinks | null;
  readonly problems: Pick<ProblemLog, 'replace'>;
  readonly publicOrigin: string | null;
  readonly spareTime: SpareTime;
  /** Whether the backend may be asked, and this process checks links. */
  readonly mayRun: () => boolean;
  readonly log: Logger;
}

const NO_ENTRY: Verdict = { kind: 'dead', why: 'the entry is a draft, or gone: its words are shown' };

/** Entries to read again: the ids of some, or all, by the path of their content type. */
type Due = Map<string, Set<string> | 'all'>;

/**
 * Reads all links of the content in spare time, and resolves links to this site as for a visitor. Reports
 * dead links as problems of the content, so that log, doctor, ops page and panel show them.
 */
export class LinkCheck implements Invalidatable {
  readonly #options: LinkCheckOptions;
  readonly #table = new LinkTable();
  readonly #due: Due = new Map();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #hasChecked = false;
  #found: ReadonlyMap<string, readonly ContentProblem[]> = new Map();
  #wholeAt = 0;

  constructor(options: LinkCheckOptions) {
    this.#options = options;
    this.#addAll();
  }

  begin(): void {
    this.#later(BEGIN_AFTER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#options.external?.stop();
    this.#stopped.abort(new DOMException('The process is stopping', 'AbortError'));
  }

  async settled(): Promise<void> {
    await this.#running.catch(() => {});
    await this.#options.external?.settled();
  }

  invalidate(tags: readonly string[]): void {
    for (const tag of tags) this.#changed(parseTag(tag).name);
    this.hurry();
  }

  remove(tags: readonly string[]): void {
    this.invalidate(tags);
  }

  expireAll(): void {
    this.#addAll();
    this.hurry();
  }

  linkingTo(type: string, id: string): readonly LinkedEntry[] {
    const path = this.#table.entry(type, id)?.path;
    return path ? this.#table.linkingTo(path, href => this.#pathOf(href)) : [];
  }

  noteOf(about: string): LinkNote {
    const [type = '', id = ''] = about.split(':');
    const own = (this.#found.get(type) ?? []).filter(problem => problem.id === id);
    const dead = own.flatMap(({ kind, reason }) => (kind === 'link-dead' ? reason : []));
    return { linkedFrom: this.linkingTo(type, id), dead };
  }

  titleOf(type: string, id: string): string | null {
    return this.#table.entry(type, id)?.title ?? null;
  }

  check(): Promise<void> {
    this.#running = this.#running.catch(() => {}).then(() => this.#check());
    return this.#running;
  }

  async #check(): Promise<void> {
    for (const [path, ids] of this.#due) {
      this.#due.delete(path);
      const type = LINKED_TYPES.find(one => one.path === path);
      try {
        if (type) await this.#read(type, ids);
      } catch (error) {
        this.#due.set(path, 'all');
        throw error;
      }
    }
    const singles = await readSingles(this.#options.content, this.#signal());
    for (const entry of singles) this.#table.put(entry);
    for (const [type, entries] of Map.groupBy(singles, entry => entry.type))
      this.#table.keep(type, new Set(entries.map(({ id }) => id)));
    await this.#report();
    this.#hasChecked = true;
  }

  async #read(type: ServedType, ids: Set<string> | 'all'): Promise<void> {
    const ask = (call: string) => this.#options.content.ask(call, this.#signal());
    if (ids !== 'all') {
      for (const id of ids) {
        await this.#pause();
        const [entry] = (await this.#options.readRows(type, { page: 1, id }, ask)).entries;
        if (entry) this.#table.put(entry);
        else this.#table.remove(type.path, id);
      }
      return;
    }
    const present = new Set<string | null>();
    for (let page = 1, isLast = false; !isLast; page += 1) {
      await this.#pause();
      if (page > 1) await delay(PAGE_EVERY_MS, undefined, { signal: this.#stopped.signal, ref: false });
      const rows = await this.#options.readRows(type, { page, id: null }, ask);
      for (const entry of rows.entries) this.#table.put(entry);
      for (const { id } of rows.entries) present.add(id);
      isLast = rows.isLast;
    }
    this.#table.keep(type.path, present);
  }

  async #report(): Promise<void> {
    const verdicts = new Map<string, Verdict>();
    const found = new Map<string, ContentProblem[]>();
    const elsewhere = new Set<string>();
    for (const { type, id, links } of this.#table.entries) {
      const problems = found.get(type) ?? [];
      found.set(type, problems);
      for (const { field, href } of links) {
        const path = isEntryLink(href) ? href : this.#pathOf(href);
        if (path === null && /^https?:/.test(href)) elsewhere.add(href);
        const known = path === null ? this.#options.external?.verdictOf(href) : verdicts.get(path);
        const verdict = known ?? (path === null ? HERE : await this.#verdictOf(path));
        if (path !== null) verdicts.set(path, verdict);
        if (verdict.kind === 'here') continue;
        const reason = `the link to ${quoted(href)}: ${verdict.why}`;
        problems.push({ kind: `link-${verdict.kind}`, type, id, field, updatedAt: null, reason });
      }
    }
    for (const [type, problems] of found) this.#options.problems.replace(`links of ${type}`, problems);
    this.#found = found;
    this.#options.external?.want(elsewhere);
  }

  async #verdictOf(path: string): Promise<Verdict> {
    const reader = this.#options.content.openReader({ signal: this.#signal() });
    if (isEntryLink(path)) {
      const isKnown = (await reader.pathOfLink(path)) !== null || reader.isIncomplete;
      return isKnown ? HERE : NO_ENTRY;
    }
    const plain = path.split(/[?#]/, 1)[0] ?? '';
    const entry = this.#table.at(plain);
    if (entry?.path === plain) {
      const redirects = await reader.redirects();
      const day = (time: number) => new Date(time).toISOString().slice(0, '2026-12-24'.length);
      if (entry.from !== null && entry.from > Date.now())
        return { kind: 'dead', why: `${plain} is not shown before ${day(entry.from)}` };
      if (entry.until !== null && entry.until <= Date.now())
        return { kind: 'dead', why: `${plain} is no longer shown since ${day(entry.until)}` };
      if (!isGone(redirects, plain) && !resolveRedirect(redirects, plain)) return HERE;
    }
    await this.#pause();
    return this.#options.resolve(path, this.#signal());
  }

  /** @returns the path on this site; null for a link to elsewhere, or within its page. */
  #pathOf(href: string): string | null {
    if (href.startsWith('/')) return href;
    if (isEntryLink(href)) {
      const { type, id } = entryOfLink(href);
      return this.#table.entry(type, id)?.path ?? null;
    }
    const { origin, pathname, search } = URL.parse(href) ?? {};
    return origin !== undefined && origin === this.#options.publicOrigin ? `${pathname}${search}` : null;
  }

  #changed(name: string): void {
    const top = namesAbove(name).at(-1) ?? name;
    if (name === '*') this.#addAll();
    for (const type of LINKED_TYPES) {
      const { path } = type;
      const ids = top === path ? namedIds(path, [name]) : [];
      const due = this.#due.get(path);
      // If the addresses of a type may contain the changed slug, read all its entries again.
      if (name === path || typesInPath(type).includes(top)) this.#due.set(path, 'all');
      else if (ids.length > 0 && due !== 'all') this.#due.set(path, new Set([...(due ?? []), ...ids]));
    }
  }

  #addAll(): void {
    for (const { path } of LINKED_TYPES) this.#due.set(path, 'all');
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);
  }

  async #pause(): Promise<void> {
    await this.#options.spareTime();
    this.#stopped.signal.throwIfAborted();
  }

  /** Checks soon after a change. A change during the start does not bring the first check forward. */
  hurry(): void {
    if (this.#hasChecked) this.#later(GATHER_MS);
  }

  #later(ms: number): void {
    if (this.#stopped.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), ms).unref();
  }

  async #run(): Promise<void> {
    if (!this.#options.mayRun()) return this.#later(RETRY_MS);
    try {
      if (steadyNow() >= this.#wholeAt) {
        this.#addAll();
        this.#wholeAt = steadyNow() + ROUND_MS;
      }
      await this.check();
      this.#later(this.#wholeAt - steadyNow());
    } catch (error) {
      // A change of the content or an outage ends a check. Try again later.
      this.#options.log.debug({ code: 'links-unchecked', err: error }, 'links: a check has ended early');
      this.#later(RETRY_MS);
    }
  }
}

/** @returns the paths of the types whose slugs are in the addresses of a type's entries. */
function typesInPath({ path, fields }: ServedType): readonly (string | null)[] {
  const { route } = routesOfType(path);
  return (route ? relationsInPath(route) : []).map(name => {
    const field = fields[name];
    return field?.kind === 'relation' ? descriptionOf(field.target).path : null;
  });
}
