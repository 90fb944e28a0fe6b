import MiniSearch from 'minisearch';
import type { PageLanguage } from '../../shared/labels/page-language.ts';
import { titleWithoutSite } from '../../shared/payload/page-title.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import { WORDS } from '../../site/all-words.ts';
import { contentTypes } from '../../site/types.ts';
import { INDEX, SEARCH_WORDS, type SearchedPage, type SearchFile } from './browser/searched-pages.ts';

/** Limit for the text in the index, in letters, because browsers load the whole index. */
const MAX_TEXTS = 2_000_000;

export class SearchIndex {
  readonly #pages: SearchedPage[] = [];
  #letters = 0;
  #language: PageLanguage | null = null;

  speak(language: PageLanguage): void {
    this.#language = language;
  }

  add(href: string, payload: PagePayload, html: string): void {
    const type = Object.values(contentTypes).find(own => 'route' in own && own.route === payload.route);
    const { head, params, data } = payload;
    const isSearched = type && (type === contentTypes.article || 'isPage' in type);
    if (!isSearched || head.robots?.includes('noindex')) return;
    const text = this.#letters > MAX_TEXTS ? '' : textOf(html);
    this.#letters += text.length;
    this.#pages.push({
      ...{ href, kind: type.path, category: params.category ?? '', date: head.publishedTime },
      title: titleWithoutSite(head.title, data.shell?.siteName ?? ''),
      description: head.description ?? '',
      text,
    });
  }

  note(): string {
    const parts = this.#letters > MAX_TEXTS ? 'titles and descriptions' : 'titles, descriptions and texts';
    return `search: answered in the browser from ${parts} of ${this.#pages.length} pages`;
  }

  toJson(): string {
    const index = new MiniSearch<SearchedPage>(INDEX);
    const isLarge = this.#letters > MAX_TEXTS;
    // Sort the pages, so that the same pages always make the same file.
    for (const page of this.#pages.sort((a, b) => (a.href < b.href ? -1 : 1)))
      index.add(isLarge ? { ...page, text: '' } : page);
    const language = this.#language;
    if (language === null) throw new Error('No page tells the language of the site');
    const catalogue = WORDS[language.catalogue];
    // The cast is safe: the entries have the names of SearchWords.
    const words = Object.fromEntries(
      SEARCH_WORDS.map(name => [name, catalogue[name]]),
    ) as SearchFile['words'];
    const file: SearchFile = { index: index.toJSON(), language, words };
    return JSON.stringify(file);
  }
}

function textOf(html: string): string {
  const from = html.indexOf('<main');
  const to = html.indexOf('</main>', from);
  const main = html.slice(Math.max(0, from), to < 0 ? undefined : to);
  const text = main.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ');
  // V8 keeps the result of `replace` as a tree of its pieces, which takes 20 times the memory of the text.
  return Buffer.from(text).toString();
}
