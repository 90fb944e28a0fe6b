import { ALERTS } from './alerts.ts';

export const RUNBOOK = 'docs/runbook.md';

/** @returns the rules for Prometheus. */
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
            runbook_url: `${RUNBOOK}#${alert.page}`,
          },
        })),
      },
    ],
  };
}

/** @returns the runbook with the table of alarms between its two marks. @throws without the marks. */
export function withAlarms(runbook: string): string {
  const titles = new Map(
    Array.from(runbook.matchAll(/^## (.+)$/gm), ([, title = '']) => [anchorOf(title), title] as const),
  );
  const rows = ALERTS.map(({ name, severity, when, look, page }) => {
    const title = titles.get(page);
    if (title === undefined) throw new Error(`${RUNBOOK} has no section for the alarm ${name}: #${page}`);
    return `| \`${name}\`, ${severity} | ${when} | [${title}](#${page}): ${look} |`;
  });
  const table = ['| alarm | when | look at |', '|---|---|---|', ...rows].join('\n');
  const between = /(?<=<!-- alarms:[^>]*-->\n)[\s\S]*?(?=<!-- end of alarms -->)/;
  if (!between.test(runbook)) throw new Error(`${RUNBOOK} has no marks for the alarms`);
  return runbook.replace(between, () => `${table}\n`);
}

/** @returns the anchor that a heading gets. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
