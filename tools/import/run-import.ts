// npm run import -- FILE: fills a content folder or a Strapi from an export of Ghost or WordPress.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MediaFiles } from './media-files.ts';
import { readGhost } from './read-ghost.ts';
import { readWordpress } from './read-wordpress.ts';
import { nameOf, writeFolder } from './write-folder.ts';
import { Strapi, writeStrapi } from './write-strapi.ts';

const USAGE = `Usage: npm run import -- FILE --out DIR [--media DIR] [--address URL] [--name NAME] [--offline]
       npm run import -- FILE --to strapi [--strapi URL] [--media DIR] [--address URL] [--offline]
  FILE       an export: the JSON of Ghost, or the XML of WordPress
  --out      the folder of the content, which must be empty; start the site with CONTENT_DIR=DIR
  --to       strapi: into a running Strapi, with its API token in STRAPI_TOKEN
  --strapi   the address of Strapi; http://localhost:1337 by default
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
      to: { type: 'string' },
      strapi: { type: 'string', default: 'http://localhost:1337' },
      media: { type: 'string' },
      address: { type: 'string' },
      name: { type: 'string' },
      offline: { type: 'boolean' },
    },
  });
  const [file, ...others] = positionals;
  const { media, to } = values;
  if (
    !file ||
    others.length > 0 ||
    (to === undefined) !== (values.out !== undefined) ||
    !['strapi', undefined].includes(to)
  ) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { STRAPI_TOKEN: token = '' } = process.env;
  if (to && token === '')
    throw new Error('STRAPI_TOKEN is not set. docs/importing.md says how to make the token');
  const out = values.out ?? mkdtempSync(path.join(os.tmpdir(), 'import-'));
  if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`--out: ${out} is not empty`);
  if (media !== undefined && !existsSync(media)) throw new Error(`--media: there is no folder ${media}`);
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const [name, text] = [path.basename(file), readFileSync(file, 'utf8')];
  const isXml = text.trimStart().startsWith('<');
  const site = isXml ? readWordpress(name, text) : readGhost(name, parseJson(file, text));
  const address = (values.address ?? site.address).replace(/\/$/, '');
  const files = new MediaFiles({
    uploads: path.join(out, 'uploads'),
    folder: media ?? null,
    address,
    fetches: values.offline !== true,
  });
  const written = await writeFolder(site, out, files, values.name ?? nameOf(address));
  try {
    const filled = to && (await writeStrapi(out, new Strapi(values.strapi, token), site.loss));
    process.stdout.write(
      filled
        ? `In ${values.strapi}: entries made ${filled.created}, there before and kept ${filled.known}\n`
        : `In ${out}: articles ${written.articles}, pages ${written.pages}\n`,
    );
  } finally {
    if (to) rmSync(out, { recursive: true });
  }
  const { rows } = site.loss;
  if (rows.length > 0)
    process.stdout.write(`Not taken (${rows.length}):\n${rows.map(row => `  ${row}\n`).join('')}`);
  if (!to) process.stdout.write(`Start the site with it: CONTENT_DIR=${out} npm start\n`);
  return 0;
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is neither the JSON of Ghost nor the XML of WordPress`, { cause: error });
  }
}
