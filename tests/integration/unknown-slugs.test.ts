import { describe, expect } from 'vitest';
import { pathTo } from '../../shared/routing/routes.ts';
import type { Model, Row } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { h1Of, invalidationTest as it } from '../support/invalidation-test.ts';

/** Types with slugs, each with the address of an entry. */
const TYPES = [
  ['article', slug => pathTo('blog-article', { category: 'guides', slug }), 'accepting-cards-in-spain'],
  ['page', slug => pathTo('page', { slug }), 'about'],
] as const satisfies readonly (readonly [Model, (slug: string) => string, string])[];
/** More unknown slugs than are requested from the backend one by one. */
const MANY = 40;

let last = 0;
const madeUp = () => {
  last += 1;
  return `made-up-${last}`;
};

describe.for(TYPES)('many unknown slugs of the type %s', ([model, addressOf, sample]) => {
  it('many unknown slugs are answered without the backend, and a new entry is shown after its event', async ({
    backend,
    get,
    announce,
  }) => {
    /** Requests many made-up slugs. @returns how many of them caused a call. */
    async function flood(): Promise<number> {
      const slugs = Array.from({ length: MANY }, madeUp);
      const answers = await Promise.all(slugs.map(slug => get(addressOf(slug))));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
      const calls = decodeURIComponent(
        backend
          .callsTo(`/api/${model}s`)
          .map(({ url }) => url)
          .join(' '),
      );
      return slugs.filter(slug => calls.includes(`=${slug}&`)).length;
    }
    expect(await flood()).toBeGreaterThan(MANY / 2 - 1);
    await eventually(async () => expect(await flood()).toBeLessThan(MANY / 2));

    const row: Row = structuredClone(backend.row(model, sample));
    Object.assign(row, { id: 9_000, documentId: 'new9000' });
    Object.assign(row.attributes, { slug: 'brand-new', h1: 'A brand-new entry' });
    expect((await get(addressOf('brand-new'))).status).toBe(404);
    backend.rows(model).push(row);
    await announce('entry.publish', model, row);
    const shown = await get(addressOf('brand-new'));
    expect([shown.status, h1Of(shown)]).toEqual([200, 'A brand-new entry']);
    // While made-up slugs cause no calls, an existing entry that nobody has requested is still found.
    await eventually(async () => expect(await flood()).toBeLessThan(MANY / 2));
    const other = backend.rows(model).find(({ attributes }) => attributes.slug !== sample);
    expect((await get(addressOf(String(other?.attributes.slug)))).status).not.toBe(404);
  });
});
