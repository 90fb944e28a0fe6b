import '../ops/process/check-node.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { oneLine } from '../ops/one-line.ts';
import { examine, type Report } from './examine.ts';
import type { Finding } from './finding.ts';

const USAGE = `Usage: npm run doctor              examines the CMS and the configuration that leads to it
       npm run doctor -- --json    the same, for programs
Run it with the environment of the site. The exit code is 1 when pages or forms are broken.
`;
const CONCURRENCY = 4;

void run(process.argv.slice(2))
  .catch(error => {
    if (error instanceof ConfigError) return complain(`${error.message}\n`, 1);
    throw error;
  })
  .then(code => {
    process.exitCode = code;
    // Exit now, because idle connections would keep the process alive for seconds.
    process.stdout.write('', () => process.exit());
  });

async function run(args: readonly string[]): Promise<number> {
  const isJson = args.length === 1 && args[0] === '--json';
  if (args.length > 0 && !isJson) return complain(USAGE, 2);
  const config = readConfig(undefined, { servesPages: false });
  const { contentBaseUrl: baseUrl } = config;
  if (baseUrl === null)
    return complain(
      'There is no CMS to examine: CONTENT_BASE_URL is not set, so the site serves files of a folder\n',
      2,
    );
  const signal = new AbortController().signal;
  const report = await examine({ config, baseUrl, posts: true, concurrency: CONCURRENCY, signal });
  process.stdout.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  return report.findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}

function complain(text: string, exitCode: number): number {
  process.stderr.write(text);
  return exitCode;
}

function reportText({ backend, strapi, calls, ms, findings }: Report): string {
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
