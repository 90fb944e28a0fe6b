import { anchorOf, lineOf, readRunbook } from '../../server/ops-page/runbook.ts';
import { ALERTS, type Alert } from './alerts.ts';

export const RUNBOOK = 'docs/runbook.md';
const RUNBOOK_URL = RUNBOOK;

const runbook = await readRunbook();
const titles = new Map(Array.from(runbook.keys(), title => [anchorOf(title), title]));

export function alertRules() {
  return {
    groups: [
      {
        name: 'site',
        rules: ALERTS.map(alert => ({
          alert: alert.name,
          expr: alert.expression,
          ...(alert.for && { for: alert.for }),
          labels: { severity: alert.severity },
          annotations: {
            summary: alert.when.replaceAll(/`|\\/g, ''),
            description: descriptionOf(alert),
            runbook_url: `${RUNBOOK_URL}#${alert.page}`,
          },
        })),
      },
    ],
  };
}

function descriptionOf(alert: Alert): string {
  const lines = ['Visitors notice', 'In short'].map(label => [label, lineOf(runbook, titleOf(alert), label)]);
  return [...lines, ['Look at', alert.look.replaceAll('`', '')]]
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}`)
    .join('\n');
}

/** @throws without the section. */
function titleOf({ name, page }: Alert): string {
  const title = titles.get(page);
  if (title === undefined) throw new Error(`${RUNBOOK} has no section for the alarm ${name}: #${page}`);
  return title;
}

/** @returns the runbook with the table of alarms between its two marks. @throws without the marks. */
export function withAlarms(text: string): string {
  const rows = ALERTS.map(alert => {
    const { name, severity, when, look, page } = alert;
    return `| \`${name}\`, ${severity} | ${when} | [${titleOf(alert)}](#${page}): ${look} |`;
  });
  const table = ['| alarm | when | look at |', '|---|---|---|', ...rows].join('\n');
  const between = /(?<=<!-- alarms:[^>]*-->\n)[\s\S]*?(?=<!-- end of alarms -->)/;
  if (!between.test(text)) throw new Error(`${RUNBOOK} has no marks for the alarms`);
  return text.replace(between, () => `${table}\n`);
}
