import { oneLine } from '../ops/one-line.ts';
import type { Report } from './examine.ts';
import type { Finding } from './finding.ts';

/** @returns a report for people, one line for each finding. */
export function reportText({ backend, strapi, calls, ms, findings }: Report): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const end =
    findings.length === 0
      ? 'Everything is as the site needs it.'
      : `${errors} broken, ${warnings} to look at. After a repair run the doctor again.`;
  const name = strapi === null ? 'the CMS' : `Strapi ${strapi}`;
  const head = `${name} at ${backend}: ${calls} calls in ${(ms / 1_000).toFixed(1)} s`;
  return [head, '', ...findings.map(lineOf), ...(findings.length > 0 ? [''] : []), end, ''].join('\n');
}

function lineOf({ severity, what, remedy, pages }: Finding): string {
  return oneLine(`${severity === 'error' ? 'BROKEN' : 'WARNING'}: ${what} → ${remedy} (pages: ${pages})`);
}
