import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { changeIn, pendingChanges, withRelease } from '../../build/release.ts';

const root = path.resolve(import.meta.dirname, '../..');
const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');

it('each file in changes/ begins with the kind of its change', () => {
  expect(() => pendingChanges()).not.toThrow();
});

it('CHANGELOG.md has sections for releases only', () => {
  const sections = Array.from(changelog.matchAll(/^## (.+)$/gm), ([, title]) => title);
  expect(sections.filter(title => !/^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/.test(title ?? ''))).toEqual([]);
});

it('package.json has the version of the newest release', () => {
  const [, newest] = /^## (\S+)/m.exec(changelog) ?? [];
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(version).toBe(newest);
});

it('a release puts its changes above the newest section, grouped by kind', () => {
  const changes = [
    changeIn('b.md', 'Fixed: a page of two\nlines.\n'),
    changeIn('a.md', 'Added: `NEW` does something.\n'),
  ];
  expect(withRelease('# Changelog\n\nText.\n\n## 1.0.0 – 2026-11-24\n', '1.1.0', '2026-12-01', changes)).toBe(
    '# Changelog\n\nText.\n\n## 1.1.0 – 2026-12-01\n\n### Added\n\n- `NEW` does something.\n\n' +
      '### Fixed\n\n- a page of two\n  lines.\n\n## 1.0.0 – 2026-11-24\n',
  );
});

it('a change file without a kind is reported with its name', () => {
  expect(() => changeIn('new.md', 'Something is new.')).toThrow('new.md must begin with one of Added');
});
