/**
 * Fills a content cache with articles whose records are never written. Prints as JSON the counted bytes, and
 * the growth of the process without the texts of the records. A test runs this file in a separate process,
 * with `--expose-gc`.
 */
import { InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { contentRequest } from '../../server/content/requests/content-request.ts';
import { createContentCache } from '../../server/content/store/content-cache.ts';
import type { ContentRecord } from '../../server/content/store/content-record.ts';
import { createDecodings } from '../../server/decode/decoding.ts';
import { createLogger } from '../../server/ops/log.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { startDecoding } from './decoding.ts';

const ARTICLES = 1_000;
const WORDS = 'A payment is authorised first — and captured later; between the two the money is held.';

/** An article with a text of 20 paragraphs, as the decoders give it. */
const articleOf = (index: number) => ({
  title: `Article ${index}`,
  body: Array.from({ length: 20 }, (_, at) => [
    'p',
    null,
    [`${index}.${at} ${WORDS}`, ['a', { href: `/pages/${index}` }, ['more']], ['strong', null, ['now']]],
  ]),
});

/** @returns the size of all live objects and buffers, in bytes. */
async function usedBytes(): Promise<number> {
  const { gc } = globalThis;
  if (!gc) throw new Error('Start with --expose-gc');
  for (let round = 0; round < 5; round++) {
    gc();
    await new Promise(resolve => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Records that wait to be written. */
const waiting: (() => ContentRecord)[] = [];
const cache = createContentCache({
  ...{ maxBytes: 1024 ** 3, ttlMs: 3_600_000, staleIfErrorMs: 3_600_000 },
  invalidations: new InvalidationLog(),
  log: createLogger('warn'),
  disk: {
    write: (_key, record) => void waiting.push(record),
    read: async () => null,
    async *keys() {},
    remove() {},
    softDelete() {},
    restore: async () => [],
    sweep: async () => {},
    settled: async () => {},
    waiting: () => waiting.length,
    isAbsent: () => false,
  },
});
const begin = createDecodings(startDecoding().services);
const { signal } = new AbortController();

async function fill(from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const request = contentRequest<object>({
      ...{ key: `articles/${index}`, type: contentTypes.article, isPacked: true, begin },
      fetch: async ask => [await ask('/api/articles')],
      decode: answers => answers[0]?.body as object,
      provenance: () => ({ tags: [`articles:${index}`], about: `articles:${index}`, decides: [] }),
    });
    const ask = async () => answerOf(articleOf(index));
    await cache.read(request, { ask, signal });
  }
}

/** @returns an answer as the backend client gives it: a separate text, and the objects in it. */
function answerOf(body: object) {
  const text = Buffer.from(JSON.stringify(body)).toString();
  return { text, body: JSON.parse(text) };
}

await fill(-200, 0);
const before = { used: await usedBytes(), counted: cache.size.bytes, records: waiting.length };
await fill(0, ARTICLES);
const used = (await usedBytes()) - before.used;
// A text with one character beyond Latin-1 takes two bytes for each character.
const texts = waiting.slice(before.records).flatMap(record => record().answers);
const grownBytes = used - texts.reduce((sum, text) => sum + 2 * text.length, 0);
const countedBytes = cache.size.bytes - before.counted;
console.log(JSON.stringify({ grownBytes, countedBytes, ratio: grownBytes / countedBytes }));
