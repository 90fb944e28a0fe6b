import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import { SECURITY_TXT } from '../../server/endpoints/site-files.ts';
import { embedJson } from '../../shared/payload/embed-json.ts';
import { PAGE_DATA_ID, type PageData } from '../../shared/payload/page-data.ts';
import type { PagePayload, PayloadAnswer } from '../../shared/payload/payload.ts';
import { FEED_FORMATS, feedPath } from '../../shared/routing/feed-files.ts';
import { feedPagePath, hasFeed } from '../../shared/routing/feeds.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { pathTo, routeTable } from '../../shared/routing/routes.ts';
import { siteRoutes } from '../../site/routes.ts';
import {
  exportedAddress,
  fileOf,
  liveAddress,
  namedAddresses,
  pageFiles,
  withNumbersInPath,
} from './addresses.ts';
import { buildBrowserCode } from './browser-code.ts';
import { type ExportedRedirect, hostFiles } from './host-files.ts';
import { candidates, readRedirects } from './redirects.ts';
import { type Answer, DIST, type SiteOptions, type SiteToExport, startSiteToExport } from './running-site.ts';
import { SearchIndex } from './search-index.ts';
import { type FolderCounts, WrittenFolder } from './written-folder.ts';

/** The limit of concurrent requests. More would wait in the site's queues. */
const AT_ONCE = 8;
const PAGE = 'text/html';
const FORM_ADDRESS = '/api/email/send';
const PAGE_DATA = `<script type="application/json" id="${PAGE_DATA_ID}">`;

export interface ExportOptions extends SiteOptions {
  readonly out: string;
  /** The running site that accepts the messages of forms; null leaves the forms out. */
  readonly forms: URL | null;
}

interface ExportCounts extends FolderCounts {
  readonly pages: number;
  /** What the export cannot do, one line each. */
  readonly missing: readonly string[];
}

/** Writes the site as a folder of files. If a page fails, old files stay in the folder. */
export async function exportSite(options: ExportOptions): Promise<ExportCounts> {
  const folder = await WrittenFolder.open(options.out);
  const site = await startSiteToExport(options);
  try {
    const run = new ExportRun(options, site, folder);
    await run.all();
    return { ...(await folder.end()), pages: run.pages, missing: run.missing() };
  } finally {
    await site.stop();
  }
}

class ExportRun {
  readonly #options: ExportOptions;
  readonly #site: SiteToExport;
  readonly #folder: WrittenFolder;
  readonly #origin: string;
  readonly #search = new SearchIndex();
  readonly #redirects: ExportedRedirect[] = [];
  readonly #missing = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #queue = new PQueue({ concurrency: AT_ONCE, autoStart: false });
  #buildId = '';
  #additions = '';
  readonly #samples = new Map<string, Answer>();
  pages = 0;

  constructor(options: ExportOptions, site: SiteToExport, folder: WrittenFolder) {
    this.#options = options;
    this.#site = site;
    this.#folder = folder;
    this.#origin = options.publicUrl.origin;
  }

  async all(): Promise<void> {
    const { forms } = this.#options;
    const latest = await this.#site.ask('/builds/latest.json');
    this.#buildId = JSON.parse(latest.body.toString()).id;
    await this.#folder.write('builds/latest.json', latest.body);
    const code = await buildBrowserCode(forms && new URL(FORM_ADDRESS, forms).href);
    this.#additions = code.elements;
    for (const [file, contents] of code.files) await this.#folder.write(file, contents);
    await this.#copyBuild();
    const redirects = await readRedirects(this.#site);
    const sitemap = await this.#sitemap();
    for (const page of ['/', pathTo(siteRoutes.search, {}), ...sitemap]) this.#page(page);
    for (const address of candidates(redirects, sitemap)) this.#page(address, true);
    for (const file of ['/robots.txt', '/llms.txt', SECURITY_TXT, `/builds/meta/${this.#buildId}.json`])
      this.#file(file, true);
    this.#queue.add(() => this.#notFound());
    this.#queue.start();
    await Promise.race([this.#queue.onIdle(), this.#queue.onError()]);
    await this.#folder.write('search/index.json', this.#search.toJson());
    const hosting = hostFiles({
      samples: this.#samples,
      redirects: [...this.#redirects, ...redirects.wildcards],
      gone: redirects.gone,
      forms: forms?.origin ?? null,
      buildId: this.#buildId,
    });
    for (const line of hosting.missing) this.#missing.add(line);
    for (const [file, contents] of hosting.files) await this.#folder.write(file, contents);
  }

  missing(): string[] {
    const byQuery = routeTable.filter(
      ({ id, query, answersQueries, opensByToken }) =>
        id !== siteRoutes.search && (opensByToken || (answersQueries && query.length > 0)),
    );
    return [
      ...byQuery.map(({ path: route }) => `${route}: its pages depend on a token or a query`),
      ...(this.#options.forms === null
        ? ['forms: left out, because only a running site accepts messages (--forms https://…)']
        : []),
      this.#search.note(),
      ...this.#missing,
    ];
  }

  /** @param address a page's live or exported address. @param isGuess whether the page may be missing. */
  #page(address: string, isGuess = false): void {
    const page = exportedAddress(address);
    if (this.#seen.has(page)) return;
    this.#seen.add(page);
    this.#queue.add(() => this.#writePage(page, isGuess));
  }

  async #writePage(page: string, isGuess: boolean): Promise<void> {
    const files = pageFiles(page);
    if (!files) return void this.#missing.add(`${page}: no file can have this name`);
    const answer = await this.#site.ask(liveAddress(page), PAGE);
    if (answer.status >= 300 && answer.status < 400) return this.#writeRedirect(page, answer, files.payload);
    if (answer.status !== 200) {
      if (answer.status !== 404 && answer.status !== 410) throw new Error(`${page}: ${answer.status}`);
      if (!isGuess) this.#missing.add(`${page}: a link leads there, and there is no page`);
      return;
    }
    if (!String(answer.headers['content-type']).startsWith(PAGE)) return this.#file(page);
    // Take the headers of the home page, because other pages may have more: the search forbids indexing.
    if (page === '/') this.#sample('page', answer);
    await this.#writeDocument(files.html, answer.body.toString());
    const [path_ = '', search = ''] = liveAddress(page).split('?');
    const payload = await this.#site.ask(payloadAddress(path_, search, this.#buildId));
    if (payload.status !== 200) throw new Error(`the payload of ${page}: ${payload.status}`);
    const data = this.#withNumbers(JSON.parse(payload.body.toString()));
    await this.#folder.write(files.payload, JSON.stringify(data));
    if (page === liveAddress(page)) this.#search.add(page, data, answer.body.toString());
    if (hasFeed(data.route))
      for (const format of FEED_FORMATS)
        this.#file(feedPath(feedPagePath(data.route, data.params), format), true);
    this.pages += 1;
  }

  async #writeRedirect(page: string, answer: Answer, payloadFile: string): Promise<void> {
    const to = String(answer.headers.location);
    const target = to.startsWith('/') ? exportedTarget(to) : to;
    this.#redirects.push({ from: page, to: target, statusCode: answer.status, joinsRest: false });
    if (to.startsWith('/')) this.#page(to);
    // Skip the address of a file, such as `/rss.xml`: the payload's folder would have the file's name.
    if (path.posix.extname(page) !== '') return;
    const payload = await this.#site.ask(payloadAddress(page, '', this.#buildId));
    const data: PayloadAnswer = JSON.parse(payload.body.toString());
    if (data.data !== null) return;
    const redirect = { ...data.redirect, to: target };
    await this.#folder.write(payloadFile, JSON.stringify({ ...data, redirect }));
  }

  async #notFound(): Promise<void> {
    const answer = await this.#site.ask('/404', PAGE);
    if (answer.status === 404) await this.#writeDocument('404.html', answer.body.toString());
  }

  async #writeDocument(file: string, html: string): Promise<void> {
    const { forms } = this.#options;
    const [before = '', rest = ''] = html.split(PAGE_DATA);
    const [json = '', after = ''] = rest.split(/<\/script>(.*)/s, 2);
    const data: PageData | null = json === '' ? null : JSON.parse(json);
    const head = withNumbersInPath(before, this.#origin)
      .replace('</head>', `${this.#additions}</head>`)
      .replaceAll(
        ` action="${FORM_ADDRESS}"`,
        forms ? ` action="${new URL(FORM_ADDRESS, forms).href}"` : '$&',
      );
    const block = data
      ? `${PAGE_DATA}${embedJson({ ...data, payload: this.#withNumbers(data.payload) })}</script>${after}`
      : '';
    if (data) this.#search.speak(data.language);
    await this.#folder.write(file, head + block);
    const { pages, files } = namedAddresses(html, this.#origin);
    for (const address of pages) this.#page(address);
    for (const address of files) this.#file(address);
  }

  #withNumbers(payload: PagePayload): PagePayload {
    const { shell } = payload.data;
    const { canonical } = payload.head;
    return {
      ...payload,
      data: { ...payload.data, shell: shell && { ...shell, numbersInPath: true } },
      head: {
        ...payload.head,
        canonical: canonical?.startsWith('/') ? exportedAddress(canonical) : canonical,
      },
    };
  }

  /** @param isGuess whether the file may be missing. */
  #file(address: string, isGuess = false): void {
    const { pathname, searchParams } = new URL(address, this.#origin);
    if (searchParams.has('src'))
      return void this.#missing.add(`${address}: the address of this picture has a query`);
    const file = fileOf(pathname);
    if (file === null) return void this.#missing.add(`${pathname}: no file can have this name`);
    // Load a page's pictures before other pages, so that the site need not scale all pictures at the end.
    const work = () => this.#writeFile(address, file, isGuess);
    if (this.#folder.claim(file)) this.#queue.add(work, { priority: 1 });
  }

  async #writeFile(address: string, file: string, isGuess: boolean): Promise<void> {
    const answer = await this.#site.ask(address);
    if (answer.status !== 200) {
      this.#folder.disclaim(file);
      if (!isGuess) this.#missing.add(`${address}: ${answer.status}`);
      return;
    }
    const [folder = ''] = file.split('/', 1);
    const name = path.posix.basename(file);
    this.#sample(folder === 'uploads' ? folder : name, answer);
    await this.#folder.write(file, answer.body);
    if (!/\.(?:xml|json)$/.test(name) || folder === 'builds') return;
    for (const named of namedAddresses(answer.body.toString(), this.#origin).files) this.#file(named);
  }

  /** Keeps the headers of the first response of a kind, for the configuration files of hosts. */
  #sample(kind: string, answer: Answer): void {
    if (!this.#samples.has(kind)) this.#samples.set(kind, { ...answer, body: Buffer.alloc(0) });
  }

  /** @returns the addresses of all pages. Writes the sitemap and its parts. */
  async #sitemap(): Promise<string[]> {
    const read = async (address: string): Promise<string[]> => {
      const { status, body } = await this.#site.ask(address);
      if (status !== 200) throw new Error(`${address}: ${status}`);
      await this.#folder.write(address.slice(1), body);
      const text = body.toString();
      const found = Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, loc = '']) =>
        loc.replaceAll('&amp;', '&').slice(this.#origin.length),
      );
      if (!text.includes('<sitemapindex')) return found;
      const pages: string[] = [];
      for (const part of found) pages.push(...(await read(part)));
      return pages;
    };
    return read('/sitemap.xml');
  }

  async #copyBuild(): Promise<void> {
    for (const [from, to] of [
      ['assets', 'assets/'],
      ['static', ''],
    ] as const) {
      const folder = path.join(DIST, 'client', from);
      for (const name of await readdir(folder))
        if (!/\.(?:br|gz|map)$/.test(name) && name !== 'preview.css')
          await this.#folder.write(to + name, await readFile(path.join(folder, name)));
    }
  }
}

function exportedTarget(to: string): string {
  const { search, hash, searchParams } = new URL(to, 'http://site.invalid');
  const address = exportedAddress(to);
  searchParams.delete('page');
  const rest = address === liveAddress(address) ? search : searchParams.size > 0 ? `?${searchParams}` : '';
  return address + rest + hash;
}
