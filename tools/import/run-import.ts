// npm run import -- FILE --out DIR: makes a content folder of an export of Ghost or WordPress.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MediaFiles } from './media-files.ts';
import { readGhost } from './read-ghost.ts';
import { readWordpress } from './read-wordpress.ts';
import type { ImportedSite } from './site-content.ts';
import { nameOf, writeFolder } from './write-folder.ts';

const USAGE = `Usage: npm run import -- FILE --out DIR [--media DIR] [--address URL] [--name NAME] [--offline]
  FILE       an export: the JSON of Ghost, or the XML of WordPress
  --out      the folder of the content, which must be empty; start the site with CONTENT_DIR=DIR
  --media    a copy of the old site's files, such as wp-content/uploads or content/images
  --address  the old site's address, for files; the XML of WordPress has it
  --offline  fetches no file that is missing there
`;

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      media: { type: 'string' },
      address: { type: 'string' },
      name: { type: 'string' },
      offline: { type: 'boolean' },
    },
  });
  const [file, ...others] = positionals;
  const { out, media } = values;
  if (!file || !out || others.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`--out: ${out} is not empty`);
  if (media !== undefined && !existsSync(media)) throw new Error(`--media: there is no folder ${media}`);
  const site = readSite(path.basename(file), readFileSync(file, 'utf8'));
  const address = (values.address ?? site.address).replace(/\/$/, '');
  const files = new MediaFiles({
    uploads: path.join(out, 'uploads'),
    folder: media ?? null,
    address,
    fetches: values.offline !== true,
  });
  const written = await writeFolder(site, out, files, values.name ?? nameOf(address));
  process.stdout.write(`${written.articles} articles and ${written.pages} pages are in ${out}\n`);
  const { rows } = site.loss;
  if (rows.length > 0)
    process.stdout.write(`Not taken (${rows.length}):\n${rows.map(row => `  ${row}\n`).join('')}`);
  process.stdout.write(`Start the site with it: CONTENT_DIR=${out} npm start\n`);
  return 0;
}

function readSite(name: string, text: string): ImportedSite {
  if (text.trimStart().startsWith('<')) return readWordpress(name, text);
  return readGhost(name, JSON.parse(text));
}
