import { describe, expect, it } from 'vitest';
import { affectedSelections } from '../../server/content/changes/affected-selections.ts';
import { MissingFields } from '../../server/content/requests/missing-fields.ts';
import { BackendError } from '../../server/errors.ts';

const related = (id: number, fields: object) => ({ data: { id, attributes: fields } });
const ROW = {
  id: 7,
  attributes: {
    ...{ slug: 'how-to', date: '2026-03-05', author: related(2, { name: 'Jane Roe' }) },
    category: related(1, { slug: 'guides' }),
    tags: { data: [{ id: 4, attributes: { name: 'Fees' } }] },
  },
};
const edit = { ids: ['7'], isRemoval: false, shownIn: ['articles.selected.tag.9'] };
const monthOf = () => '2026-03';
const learning = () => new MissingFields(() => {});

/** @param lacks the fields that the backend refuses */
async function groupsOf(lacks: readonly string[], missing = learning()) {
  const calls: string[] = [];
  const found = await affectedSelections(missing, monthOf, [edit], async call => {
    calls.push(call);
    const refused = lacks.find(field => new RegExp(`\\b${field}\\b`).test(call));
    if (refused) throw new BackendError('status', call, `Invalid key ${refused}`, { status: 400 });
    return { text: '', body: { data: [ROW] } };
  });
  return { calls, groups: found.map(({ group }) => group.slice('articles.selected.'.length)).sort() };
}

describe('an edited article', () => {
  const ALL = ['around.guides', 'author.2', 'period.2026', 'period.2026-03', 'tag.4', 'tag.9'];

  it('an edited article affects the lists of its category, author, tags, year and month, before and after the edit', async () => {
    const { calls, groups } = await groupsOf([]);
    expect(groups).toEqual(ALL);
    expect(calls).toHaveLength(1);
  });

  it('a field that the backend has refused is omitted from later requests for an edited article', async () => {
    const missing = learning();
    const { calls, groups } = await groupsOf(['tags', 'date'], missing);
    expect(groups).toEqual(ALL);
    expect(calls).toHaveLength(3);
    expect((await groupsOf(['tags', 'date'], missing)).calls).toHaveLength(1);
    expect(calls.at(-1)).not.toMatch(/\b(tags|date)\b/);
  });
});
