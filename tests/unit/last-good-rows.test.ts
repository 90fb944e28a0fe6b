import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRows, withLastGoodRows } from '../../server/content/store/last-good-rows.ts';

const answer = (body: unknown) => ({ text: JSON.stringify(body), body });
const NONE: ReadonlySet<string> = new Set();
const mend = (body: unknown, before: unknown, own: readonly string[], inside: readonly string[] = []) =>
  withLastGoodRows([answer(body)], { own: new Set(own), inside: new Set(inside) }, [answer(before)])?.[0];

/** Rows as Strapi 5 sends them (flat), and as Strapi 4 does (with attributes). */
const SHAPES = [
  ['flat', (id: number, fields: object) => ({ id, ...fields })],
  ['with attributes', (id: number, attributes: object) => ({ id, attributes })],
] as const;

describe.each(SHAPES)('rows that are %s', (_shape, row) => {
  it('a broken row is replaced by its last good version', () => {
    const before = { data: [row(1, { title: 'A' }), row(2, { title: 'B' })] };
    const now = { data: [row(2, { title: null }), row(1, { title: 'A, changed' })], meta: { page: 1 } };
    const mended = mend(now, before, ['2']);
    expect(mended?.body).toEqual({
      data: [row(2, { title: 'B' }), row(1, { title: 'A, changed' })],
      meta: { page: 1 },
    });
    expect(JSON.parse(mended?.text ?? '')).toEqual(mended?.body);
  });

  it('a broken related row is replaced on its own, and the outer row keeps its new fields', () => {
    const article = (title: string, name: string | null) =>
      row(1, { title, category: { data: row(7, { name }) } });
    const mended = mend({ data: [article('New', null)] }, { data: [article('Old', 'Guides')] }, [], ['7']);
    expect(mended?.body).toEqual({ data: [article('New', 'Guides')] });
  });

  it('a relation that now points to another row does not get its old row back', () => {
    const article = (category: number) => row(1, { category: { data: row(category, {}) } });
    expect(mend({ data: [article(8)] }, { data: [article(7)] }, [], ['8'])).toBeUndefined();
  });
});

describe('withLastGoodRows', () => {
  it('withLastGoodRows returns null when no earlier response has the row', () => {
    const before = [answer({ data: [{ id: 1 }] })];
    expect(
      withLastGoodRows([answer({ data: [{ id: 2 }] })], { own: new Set(['2']), inside: NONE }, before),
    ).toBeNull();
  });

  it('withLastGoodRows never throws, whatever the responses are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.array(fc.string()),
        (bodies, before, ids) => {
          const broken = { own: new Set(ids), inside: new Set(['1', ...ids]) };
          expect(() => withLastGoodRows(bodies.map(answer), broken, before.map(answer))).not.toThrow();
          expect(countRows(bodies.map(answer))).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
