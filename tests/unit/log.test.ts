import { describe, expect, it } from 'vitest';
import { createLogger } from '../../server/log.ts';
import { oneLine } from '../../server/one-line.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  write(createLogger('info', { write: line => void lines.push(line) }));
  return lines;
}

/** What could pass for another line, or move a terminal's cursor: all of it in one text. */
const FORGED =
  'a\r\n{"level":"info","msg":"forged"}\n\u001b[2K\u001b]0;title\u0007\u009b31m\u2028\u2029\u202egnirts\u2066\u007f';

describe('a line of the log', () => {
  it.each([
    ['a message', () => logged(log => log.info(FORGED))],
    ['a field', () => logged(log => log.info({ path: FORGED }, 'x'))],
    ['the name of a field', () => logged(log => log.info({ [FORGED]: 1 }, 'x'))],
    ['an error', () => logged(log => log.error({ err: new Error(FORGED, { cause: FORGED }) }, 'x'))],
    ['a field of a child', () => logged(log => log.child({ id: FORGED }).info('x'))],
  ])('is one line of printable characters, whatever is in %s', (_what, write) => {
    const lines = write();
    expect(lines).toHaveLength(1);
    const [line = ''] = lines;
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(JSON.stringify(JSON.parse(line))).toContain(JSON.stringify(FORGED).slice(1, -1));
  });

  it('has no headers and no credentials of an object that carries them', () => {
    const [line] = logged(log =>
      log.warn(
        {
          req: { authorization: 'Bearer s3cret', cookie: 's3cret', headers: { 'x-key': 's3cret' } },
          headers: 's3cret',
        },
        'x',
      ),
    );
    expect(line).not.toContain('s3cret');
  });
});

describe("somebody else's words", () => {
  it('are one line', () => {
    expect(oneLine(` ${FORGED} `)).toBe('a {"level":"info","msg":"forged"} [2K ]0;title 31m gnirts');
  });
});
