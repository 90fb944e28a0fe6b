import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Request, Response } from 'express';
import type { BlockDescription } from '../../shared/content/descriptions.ts';
import { blocks, pageBlocks } from '../../site/blocks.ts';
import { completedSample } from '../../site/styleguide.server.ts';
import { type ShownSample, Styleguide } from '../../site/styleguide.tsx';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import { decodeSample } from '../decode/decode-landing.ts';
import { createDecodings, type DecodingServices } from '../decode/decoding.ts';
import { type LanguageParts, languageOfCached } from '../page/resolve/load-page.ts';
import { languageAttributes } from '../render/document.ts';
import type { RenderParts } from '../render/page-html.ts';
import { markup } from '../render/shell-html.tsx';

export interface StyleguideParts extends ReaderParts, LanguageParts, Pick<RenderParts, 'manifest'> {
  readonly decoding: Omit<DecodingServices, 'onProblems'>;
  readonly distDir: string;
}

const BLOCKS: readonly BlockDescription[] = [...blocks, ...pageBlocks];

/** Answers `/styleguide` of `npm run dev`, and `/styleguide/NAME` for one block or part. */
export async function answerStyleguide(parts: StyleguideParts, req: Request, res: Response): Promise<void> {
  const { manifest, distDir } = parts;
  const language = languageOfCached(parts, readerFor(parts, res));
  const theme = ['light', 'dark'].find(name => name === req.query.theme);
  const files = await sampleFiles(path.dirname(distDir));
  const names = files.map(nameOf);
  const chosen = files.filter(file => req.params.name === undefined || req.params.name === nameOf(file));
  const samples = await Promise.all(chosen.map(file => readSample(parts, file)));
  const guide = <Styleguide names={names} query={theme ? `?theme=${theme}` : ''} samples={samples} />;
  const html = await markup(guide, '/styleguide', language.labels);
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Style guide</title><link rel="stylesheet" href="${manifest.stylesheet}" data-precedence="site">`,
  ];
  const attributes = `${languageAttributes(language)}${theme ? ` data-theme="${theme}"` : ''}`;
  res
    .set('Cache-Control', 'no-store')
    .send(`<!doctype html><html ${attributes}><head>${head.join('')}</head><body>${html}</body></html>`);
}

async function sampleFiles(root: string): Promise<readonly string[]> {
  const folders = ['site', 'shared'].map(async folder => {
    const names = await readdir(path.join(root, folder), { recursive: true });
    return names.filter(name => name.endsWith('.sample.json')).map(name => path.join(root, folder, name));
  });
  return (await Promise.all(folders)).flat().sort();
}

function nameOf(file: string): string {
  return path.basename(file, '.sample.json');
}

async function readSample(parts: StyleguideParts, file: string): Promise<ShownSample> {
  const name = nameOf(file);
  const id = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const isBlock = path.basename(path.dirname(path.dirname(file))) === 'blocks';
  const block = isBlock ? BLOCKS.find(one => one.name === id) : undefined;
  const states: Record<string, object> = JSON.parse(await readFile(file, 'utf8'));
  const shown = Object.entries(states).map(async ([state, values]) => ({
    state,
    ...(block ? await decodeState(parts, block, values) : { data: values, problems: [] }),
  }));
  return { name, block: block?.name ?? null, states: await Promise.all(shown) };
}

async function decodeState({ decoding, manifest }: StyleguideParts, block: BlockDescription, values: object) {
  const problems: string[] = [];
  const one = createDecodings({
    ...decoding,
    onProblems: (_source, found) => problems.push(...found.map(({ field, reason }) => `${field}: ${reason}`)),
  })('styleguide');
  const decoded = await one.decode(context => decodeSample(block, values, context));
  one.finish();
  const data = decoded && completedSample(block.name, decoded, manifest.worldMap);
  return { data, problems };
}
