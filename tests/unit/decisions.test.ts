import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../docs/decisions');
const files = readdirSync(folder).filter(file => /^\d{3}-.*\.md$/.test(file));
const FORM =
  /^# (?<number>\d{3}) (?<title>.+)\n\n- Date: (?<date>\d{4}-\d{2}-\d{2})\n- Status: (?<status>.+)\n\n## Context\n\n[\s\S]+\n\n## Decision\n\n[\s\S]+\n\n## Consequences\n\n[\s\S]+$/;

describe('the decisions', () => {
  it.each(files)('%s has a date, a status, the context, the decision and its consequences', file => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    expect(text).toMatch(FORM);
    expect(FORM.exec(text)?.groups?.number).toBe(file.slice(0, 3));
  });

  it('the index lists each of them with its title, date and status', () => {
    const rows = files.map(file => {
      const { number, title, date, status } =
        FORM.exec(readFileSync(path.join(folder, file), 'utf8'))?.groups ?? {};
      return `| [${number}](${file}) | ${title} | ${date} | ${status} |`;
    });
    const index = readFileSync(path.join(folder, 'README.md'), 'utf8');
    expect(index.split('\n').filter(line => line.startsWith('| ['))).toEqual(rows);
  });
});
