import { oneLine } from '../ops/one-line.ts';
import type { Report } from './examine.ts';
import type { Finding } from './finding.ts';

/** @returns a report for people, one line for each finding. */
export function reportText({ backend, strapi, calls, ms, findings }: Report): string {
  const name = strapi === null ? 'the CMS' : `Strapi ${strapi}`;
  const head = `${name} at ${backend}: ${calls} calls in ${(ms / 1_000).toFixed(1)} s`;
  return [head, '', ...findings.map(lineOf), ...(findings.length > 0 ? [''] : []), endOf(findings), ''].join(
    '\n',
  );
}

function endOf(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const staying = findings.filter(({ mayStay }) => mayStay).length;
  const warnings = findings.length - errors - staying;
  if (errors + warnings > 0) {
    const mayStay = staying > 0 ? `, ${staying} may stay` : '';
    return `${errors} broken, ${warnings} to look at${mayStay}. After a repair run the doctor again.`;
  }
  const needed = 'Everything is as the site needs it.';
  return staying > 0 ? `${needed} ${staying} may stay, if it is so on purpose.` : needed;
}

function lineOf({ severity, mayStay, what, remedy, pages }: Finding): string {
  const grade = severity === 'error' ? 'BROKEN' : mayStay ? 'MAY STAY' : 'WARNING';
  return oneLine(`${grade}: ${what} → ${remedy} (pages: ${pages})`);
}
