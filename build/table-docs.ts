// Makes the documentation of the tables in server/ops/ for `npm run check` and `npm run docs:tables`.

import { LOG_SECTIONS } from '../server/ops/log-codes.ts';
import { METRICS, type Metric, PARTS } from '../server/ops/metrics/metric-table.ts';

export function logsDocument(): string {
  const sections = Object.entries(LOG_SECTIONS).map(([title, codes]) => {
    const rows = Object.entries(codes).map(
      ([code, [level, meaning, remedy]]) => `| \`${code}\` | ${level} | ${meaning} | ${remedy} |`,
    );
    return `## ${title}\n\n| code | level | meaning | to do |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Log entries

<!-- Written by \`npm run docs:tables\` from \`server/ops/log-codes.ts\`. Change that file, and run it. -->

Each entry of the log is one line of JSON with a \`code\`. Codes are stable: let alerts name them. The text in \`msg\` may be reworded with any release.
A code begins with the room of the code that writes it. Problems of single entries have the code \`content-\` and their kind.

An entry of the level \`error\` needs somebody today, one of \`warn\` this week. \`debug\` repeats what an entry has said. Entries with \`remedy\` say what to do themselves.
Two levels mean that repetitions, or harmless cases, have the lower one.

${sections.join('\n')}`;
}

export function metricsDocument(): string {
  const rows = Object.entries<Metric>(METRICS).map(([name, { type, help, labels }]) => {
    const [part] =
      Object.entries(PARTS).find(([, begins]) => begins.some(begin => name.startsWith(begin))) ?? [];
    const words = labels.map(([label, values]) => `\`${label}\`${values ? `: ${values.join(', ')}` : ''}`);
    return `| \`${name}\` | ${type} | ${words.join('; ') || '–'} | ${help}${part ? ` (with \`${part}\`)` : ''} |`;
  });
  return `# Metrics

<!-- Written by \`npm run docs:tables\` from \`server/ops/metrics/metric-table.ts\`. Change that file, and run it. -->

\`/metrics\` of the ops port has these metrics, and those of the process and of Node (\`process_…\`, \`nodejs_…\`). Names are those of OpenTelemetry where it has one.
A series whose labels are words of this table is 0 before its first event, so an alert sees the first failure as an increase. Those of requests
begin with 200, 500 and 503. Labels without words have values that are known only at run time. A state set has the value 1 for the state that holds, and 0 for the others.
Times are seconds since 1970, and 0 for never since the start. A scrape empties nothing: any number of programs may read.

| metric | type | labels and their words | meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}
