import { sendJson } from '../support/fake-backend.ts';
import { type ContentSizes, type GeneratedContent, startGeneratedContent } from './generated-content.ts';

/** Words of a generated text, besides those of its title. */
const WORDS_OF_TEXT = 400;
/**
 * Different words of all texts. Frequencies follow Zipf's law: the most frequent word is in nearly every
 * text, and most words are in few.
 */
const VOCABULARY = 40_000;
const NEWEST_AT = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const CONSONANTS = 'bcdfghklmnprstvw';
const VOWELS = 'aeiou';

/**
 * @returns the word of a rank: letters and syllables that form no number. Rank 0 is the most frequent word.
 */
export function wordOf(rank: number): string {
  let left = rank + CONSONANTS.length * VOWELS.length;
  let word = '';
  while (left > 0) {
    word += CONSONANTS[left % CONSONANTS.length];
    left = Math.floor(left / CONSONANTS.length);
    word += VOWELS[left % VOWELS.length];
    left = Math.floor(left / VOWELS.length);
  }
  return word;
}

/** @returns random numbers from 0 to 1, equal for equal articles (mulberry32). */
function randomOf(number: number): () => number {
  let state = (number + 1) * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @returns the words of an article's text. The rank of a word is a power of a random number, so frequencies
 *   follow Zipf's law.
 */
export function wordsOf(number: number): readonly string[] {
  const random = randomOf(number);
  return Array.from({ length: WORDS_OF_TEXT }, () => wordOf(Math.floor(VOCABULARY ** random()) - 1));
}

/** Starts a CMS whose articles have texts of different words. Each row is made on request. */
export async function startSearchedContent(sizes: ContentSizes): Promise<GeneratedContent> {
  const content = await startGeneratedContent(sizes);
  const { backend } = content;
  const timeOf = (number: number) => new Date(NEWEST_AT - number * MINUTE_MS).toISOString();
  const numberAt = (time: string) => (NEWEST_AT - Date.parse(time)) / MINUTE_MS;

  function rowOf(number: number) {
    const words = wordsOf(number);
    const paragraphs = Array.from({ length: 8 }, (_, at) => words.slice(at * 50, at * 50 + 50).join(' '));
    const at = timeOf(number);
    const category = number % sizes.categories;
    return {
      id: number + 1,
      documentId: `article${number}`,
      attributes: {
        ...{ title: `${words[7]} ${words[33]} article ${number}`, slug: `article-${number}`, date: at },
        ...{
          description: words.slice(0, 12).join(' '),
          h1: null,
          publishedAt: at,
          createdAt: at,
          updatedAt: at,
        },
        body: `## ${words[99]}\n\n${paragraphs.join('.\n\n')}`,
        category: {
          data: {
            ...{ id: category + 1, documentId: `category${category}` },
            attributes: { name: `Category ${category}`, slug: `category-${category}` },
          },
        },
      },
    };
  }

  backend.on('/api/articles', (req, res) => {
    const query = new URL(req.url ?? '/', 'http://backend').searchParams;
    const isOldestFirst = query.get('sort[0]')?.endsWith(':asc') ?? false;
    const since = query.get('filters[publishedAt][$gte]');
    const total = query.has('filters[date][$null]')
      ? 0
      : since === null
        ? sizes.articles
        : numberAt(since) + 1;
    const page = Number(query.get('pagination[page]') ?? 1);
    const pageSize = Math.min(100, Number(query.get('pagination[pageSize]') ?? 25));
    const places = Array.from(
      { length: Math.max(0, Math.min(pageSize, total - (page - 1) * pageSize)) },
      (_, at) => (page - 1) * pageSize + at,
    );
    sendJson(res, 200, {
      data: places.map(place => rowOf(isOldestFirst ? total - 1 - place : place)),
      meta: { pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } },
    });
  });
  return content;
}
