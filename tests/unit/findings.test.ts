import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FINDINGS } from '../../server/doctor/finding.ts';

it('the runbook lists each code of the doctor’s findings', () => {
  const [, section = ''] = readFileSync('docs/runbook.md', 'utf8').split('| subject | codes |');
  const [table = ''] = section.split('\n\n');
  const listed = [...table.matchAll(/`([\w-]+)`/g)].map(([, code]) => code);
  expect(listed.toSorted()).toEqual(Object.keys(FINDINGS).toSorted());
  expect(listed).toHaveLength(56);
});
