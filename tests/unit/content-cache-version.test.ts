import { describe, expect } from 'vitest';
import { contentRequest } from '../../server/content/requests/content-request.ts';
import { createDecodings } from '../../server/decode/decoding.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { answerOf, it, startContentCache, startWithContent, TTL_MS } from '../support/content-cache-stage.ts';
import { startDecoding } from '../support/decoding.ts';

/** Loads the content again with another body. @returns the entries before and after. */
async function revalidated(body: object, first: object = { version: 1 }) {
  const stage = await startWithContent(first);
  const before = await stage.readEntry();
  stage.clock.ms += TTL_MS;
  const reading = stage.readEntry();
  stage.began()[0]?.resolve(body);
  return { ...stage, before, after: await reading };
}

describe('content that is loaded again', () => {
  it('an unchanged response keeps the same value object, and is not decoded', async () => {
    const { before, after, clock, decodes } = await revalidated({ version: 1 });
    expect(after.value).toBe(before.value);
    expect(after.generatedAt).toBe(clock.ms);
    expect(before.generatedAt, 'the entry handed out before is as it was').toBe(clock.ms - TTL_MS);
    expect(decodes()).toEqual([]);
  });

  it('a change in a field that is not decoded keeps the same value object', async () => {
    const { before, after, decodes } = await revalidated({ version: 1, unread: 'another' });
    expect(after.value.value).toBe(before.value.value);
    expect(after.value.version).toBe(before.value.version);
    expect(decodes()).toEqual(['a']);
  });

  it('a response equal to the last one is not decoded again', async () => {
    const { clock, readEntry, began, decodes, after } = await revalidated({ version: 1, unread: 'another' });
    decodes();
    clock.ms += TTL_MS;
    const reading = readEntry();
    began()[0]?.resolve({ version: 1, unread: 'another' });
    expect((await reading).value).toBe(after.value);
    expect(decodes()).toEqual([]);
  });

  it('a change in a decoded field gives a new value with a new version', async () => {
    const { before, after } = await revalidated({ version: 2 });
    expect(after.value.value).toEqual({ version: 2 });
    expect(before.value.value, 'the value handed out before is as it was').toEqual({ version: 1 });
    expect(after.value.version).not.toBe(before.value.version);
  });
});

describe('packed content', () => {
  it('each reader gets a copy of packed content, and equal new content is not decoded again', async () => {
    const { readNow, readEntry, began, clock, decodes } = startContentCache({ isPacked: true });
    const value = { title: 'Fees — and how “they” work: Комиссия', tree: [['p', null, ['a', { b: 1 }]]] };
    const first = await readNow('a', value);
    expect(first).toEqual(value);
    expect(await readNow('a', {})).toEqual(value);
    expect(await readNow('a', {})).not.toBe(first);
    clock.ms += TTL_MS;
    decodes();
    const reading = readEntry();
    began()[0]?.resolve({ ...value, unread: 'another' });
    expect((await reading).value.value).toEqual(value);
    expect(decodes()).toEqual(['a']);
    clock.ms += TTL_MS;
    const again = readEntry();
    began()[0]?.resolve({ ...value, unread: 'another' });
    expect((await again).value.value).toEqual(value);
    expect(decodes()).toEqual([]);
  });

  it('large content is not packed, because unpacking would exceed one tick', async () => {
    const { readNow, peek } = startContentCache({ isPacked: true, maxBytes: 2_000_000 });
    const large = await readNow('a', { t: 'x'.repeat(300_000) });
    expect(peek('a')).toBe(large);
  });
});

describe('the version of content', () => {
  const versionOf = async (value: object | null) => {
    const request = contentRequest<object | null>({
      ...{ key: 'a', type: contentTypes.page },
      ...{ key: 'a', fetch: async () => [], decode: () => value },
      begin: createDecodings(startDecoding().services),
      provenance: () => ({ tags: [], about: null, decides: [] }),
    });
    return (await request.decode([answerOf(null)])).version;
  };

  it('equal values have the same content version in any process', async () => {
    expect(await versionOf({ title: 'News', list: [1, 2] })).toBe(
      await versionOf({ title: 'News', list: [1, 2] }),
    );
    expect(await versionOf({ title: 'News' })).toBe('l2OnnP4zEbO3ful_49z4B8');
  });

  it('the content version ignores the raw attributes of a single type, which no page reads', async () => {
    const settings = { phone: '1', attributes: { updatedAt: 'yesterday' } };
    expect(await versionOf(settings)).toBe(
      await versionOf({ ...settings, attributes: { updatedAt: 'today' } }),
    );
    expect(await versionOf(settings)).not.toBe(await versionOf({ ...settings, phone: '2' }));
  });

  it('missing content has a content version different from an empty object', async () => {
    expect(await versionOf(null)).not.toBe(await versionOf({}));
  });
});
