import { describe, expect, it } from 'vitest';
import { createProblemLog } from '../../server/decode/problem-log.ts';
import { createLogger } from '../../server/ops/log.ts';
import type { ContentProblem } from '../../server/wire/decode-context.ts';

/** A number of problems above the number that the log remembers. */
const MANY = 6_000;

function startLog() {
  const lines: Record<string, unknown>[] = [];
  const found: string[] = [];
  const log = createLogger('info', { write: line => void lines.push(JSON.parse(line)) });
  let time = Date.parse('2026-01-01T00:00:00Z');
  const problems = createProblemLog(
    log,
    kind => void found.push(kind),
    () => (time += 1_000),
  );
  return { problems, found, lines, logged: () => lines.splice(0).map(({ id }) => id) };
}

const leftOut = (id: string, changes: Partial<ContentProblem> = {}): ContentProblem => ({
  ...{ kind: 'row-left-out', type: 'articles', id, field: 'title', updatedAt: null },
  reason: 'an article needs a title',
  ...changes,
});
const redirect = { id: 'b', from: '/b', field: 'to', reason: 'the target is missing' } as const;

describe('a problem of the content', () => {
  it('a content problem is logged and counted once, with type, id, field and reason', () => {
    const { problems, lines, found } = startLog();
    for (let round = 0; round < 3; round++) {
      problems.replace('articles', [leftOut('a')]);
      problems.redirects([redirect]);
    }
    expect(lines).toMatchObject([
      {
        code: 'content-row-left-out',
        ...{ type: 'articles', id: 'a', field: 'title', reason: 'an article needs a title' },
      },
      { code: 'content-redirect-left-out', type: 'redirects', id: 'b', from: '/b', reason: redirect.reason },
    ]);
    expect(found).toEqual(['row-left-out', 'redirect-left-out']);
  });

  it('a content problem found in several lists and a page is logged once', () => {
    const { problems, logged } = startLog();
    for (const source of ['articles', 'articles?category=news', 'articles/a', 'articles'])
      problems.replace(source, [leftOut('a')]);
    expect(logged()).toEqual(['a']);
  });

  it('a content problem is logged again for another reason or another field', () => {
    const { problems, logged } = startLog();
    problems.replace('articles', [leftOut('a')]);
    problems.replace('articles', [leftOut('a', { reason: 'an article needs a slug' })]);
    problems.replace('articles', [leftOut('a', { field: 'slug' })]);
    expect(logged()).toEqual(['a', 'a', 'a']);
  });

  it('a content problem that was fixed and returns is logged again', () => {
    const { problems, logged } = startLog();
    problems.replace('articles', [leftOut('a')]);
    problems.replace('articles', []);
    expect(problems.newest(10)).toEqual([]);
    problems.replace('articles', [leftOut('a')]);
    expect(logged()).toEqual(['a', 'a']);
  });

  it('a problem is logged again for a newer version of its entry, but not for an older copy', () => {
    const { problems, logged } = startLog();
    const [monday, tuesday] = ['2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z'];
    problems.replace('articles', [leftOut('a', { updatedAt: monday })]);
    problems.replace('articles', [leftOut('a', { updatedAt: tuesday })]);
    problems.replace('articles/a', [leftOut('a', { updatedAt: monday })]);
    problems.replace('articles', [leftOut('a', { updatedAt: tuesday })]);
    expect(logged()).toEqual(['a', 'a']);
  });

  it('a content problem is logged once over many revalidations, however many others occur', () => {
    const { problems, logged } = startLog();
    for (let index = 0; index < MANY; index++) {
      problems.replace('articles', [leftOut('a')]);
      problems.replace(`articles/${index}`, [leftOut(`other-${index}`)]);
    }
    expect(logged().filter(id => id === 'a')).toHaveLength(1);
  });
});

describe('the list of problems', () => {
  it('the list of problems has the newest first, with time and count', () => {
    const { problems } = startLog();
    problems.replace('articles', [leftOut('a')]);
    problems.redirects([redirect]);
    problems.replace('articles', [leftOut('a')]);
    expect(problems.newest(10)).toEqual([
      {
        ...{ kind: 'redirect-left-out', type: 'redirects', id: 'b', field: 'to', updatedAt: null },
        ...{ reason: '/b: the target is missing', since: '2026-01-01T00:00:02.000Z', count: 1 },
      },
      { ...leftOut('a'), since: '2026-01-01T00:00:01.000Z', count: 2 },
    ]);
    expect(problems.newest(1)).toMatchObject([{ id: 'b' }]);
  });

  it('a problem stays in the list as long as any response has it', () => {
    const { problems } = startLog();
    problems.replace('articles', [leftOut('a')]);
    problems.replace('articles/a', [leftOut('a')]);
    problems.replace('articles', []);
    expect(problems.newest(10)).toMatchObject([{ id: 'a' }]);
    problems.replace('articles/a', []);
    expect(problems.newest(10)).toEqual([]);
  });

  it('the list of problems is bounded', () => {
    const { problems } = startLog();
    for (let index = 0; index < MANY; index++) problems.replace(`articles/${index}`, [leftOut(`${index}`)]);
    const listed = problems.newest(MANY);
    expect(listed).toHaveLength(5_000);
    expect(listed[0]).toMatchObject({ id: `${MANY - 1}` });
  });

  it('beyond a limit, the problems of one response are counted instead of listed', () => {
    const { problems, lines } = startLog();
    problems.replace(
      'articles',
      Array.from({ length: MANY }, (_, index) => leftOut(`${index}`)),
    );
    expect(lines).toHaveLength(501);
    expect(problems.newest(1)).toMatchObject([
      { kind: 'not-listed', type: 'articles', reason: '5500 further problems are not listed' },
    ]);
  });
});
