// npm run export: writes the site as a folder of files, for a server that runs no code (docs/exporting.md).

import '../../build/end-with-parent.ts';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { keepHeapSmall } from '../../server/ops/process/memory.ts';
import { exportSite } from './export-site.ts';

const USE =
  'npm run export -- --out DIR [--url https://www.example.com] [--forms https://forms.example.com] [--data DIR]';

keepHeapSmall();
try {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      url: { type: 'string', default: process.env.PUBLIC_URL ?? '' },
      forms: { type: 'string' },
      data: { type: 'string', default: '.cache/export' },
    },
  });
  const { out, url, forms, data } = values;
  if (out === undefined) throw new Error('--out names the folder to write');
  const from = performance.now();
  const counts = await exportSite({
    out: path.resolve(out),
    publicUrl: address('--url, or PUBLIC_URL,', url),
    forms: forms === undefined ? null : address('--forms', forms),
    dataDir: path.resolve(data),
    env: process.env,
    say: line => console.error(line),
  });
  for (const line of counts.missing) console.log(line);
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  console.log(
    `${counts.pages} pages, ${counts.files} files: ${counts.written.length} written, ${counts.removed.length} removed, in ${seconds} s`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(USE);
  process.exitCode = 1;
}

function address(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new Error(`${name} is an address such as https://www.example.com`);
  return url;
}
