// node tests/support/check-expressions.ts checks new regular expressions, and writes the list of those that
// pass.

import { writeFileSync } from 'node:fs';
import { CHECKED_FILE, checkedExpressions, findExpressions, verdictOf } from './expressions.ts';

const before = checkedExpressions();
const passed: string[] = [];
for (const [expression, files] of findExpressions().expressions) {
  const verdict = before.has(expression) ? 'safe' : await verdictOf(expression);
  if (verdict === 'safe') passed.push(expression);
  else console.log(`${files.join(', ')}: ${expression} is ${verdict}`);
}
writeFileSync(CHECKED_FILE, `${JSON.stringify(passed.sort(), null, 2)}\n`);
