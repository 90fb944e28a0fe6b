import '../ops/check-node.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { examine } from './examine.ts';
import { reportText } from './report-text.ts';

const USAGE = `Usage: npm run doctor              examines the CMS and the configuration that leads to it
       npm run doctor -- --json    the same, for programs
Run it with the environment of the site. The exit code is 1 when pages or forms are broken.
`;
const CONCURRENCY = 4;

void run(process.argv.slice(2)).then(code => {
  process.exitCode = code;
  // Idle connections would keep the process alive for seconds.
  process.stdout.write('', () => process.exit());
});

async function run(args: readonly string[]): Promise<number> {
  const isJson = args.length === 1 && args[0] === '--json';
  if (args.length > 0 && !isJson) return complain(USAGE, 2);
  let config: Config;
  try {
    config = readConfig(undefined, { servesPages: false });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return complain(`${error.message}\n`, 1);
  }
  const { contentBaseUrl: baseUrl } = config;
  if (baseUrl === null)
    return complain(
      'There is no CMS to examine: CONTENT_BASE_URL is not set, so the site serves the sample content\n',
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
