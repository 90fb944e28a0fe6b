import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../docs/decisions');
const files = readdirSync(folder).filter(file => /^\d{3}-.*\.md$/.test(file));
const FORM =
  /^# (?<number>\d{3}) (?<title>.+)\n\n- Date: (?<date>\d{4}-\d{2}-\d{2})\n- Status: (?<status>.+)\n\n## Context\n\n[\s\S]+\n\n## Decision\n\n[\s\S]+\n\n## Consequences\n\n[\s\S]+$/;

/** A decision whose text has moved to a later one. */
const MOVED =
  /^# (?<number>\d{3}) (?<title>.+)\n\n- Date: (?<date>\d{4}-\d{2}-\d{2})\n- Status: (?<status>superseded by \d{3})\n\nIts text is now part of \[\d{3}\]\((?<page>\d{3}-[\w-]+\.md)\)\.\n$/;
const factsOf = (text: string) => (FORM.exec(text) ?? MOVED.exec(text))?.groups;

describe('the decisions', () => {
  it.each(files)(
    'the decision %s has a date, a status, context, decision and consequences, or names its successor',
    file => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const { number, page } = factsOf(text) ?? {};
      expect(number).toBe(file.slice(0, 3));
      if (page !== undefined) expect(files).toContain(page);
    },
  );

  it('the index of decisions lists each with its title, date and status', () => {
    const rows = files.map(file => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const { number, title, date, status } = factsOf(text) ?? {};
      return `| [${number}](${file}) | ${title} | ${date} | ${status} |`;
    });
    const index = readFileSync(path.join(folder, 'README.md'), 'utf8');
    expect(index.split('\n').filter(line => line.startsWith('| ['))).toEqual(rows);
  });
});
