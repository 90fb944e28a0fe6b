import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeSample } from '../../server/decode/decode-landing.ts';
import type { BlockDescription } from '../../shared/content/descriptions.ts';
import { blocks, pageBlocks } from '../../site/blocks.ts';
import { startDecoding } from '../support/decoding.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const BLOCKS: readonly BlockDescription[] = [...new Set([...blocks, ...pageBlocks])];

const kebabOf = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
const fileOf = ({ name }: BlockDescription) => `site/blocks/${kebabOf(name)}/${kebabOf(name)}.sample.json`;
const read = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(projectRoot, file), 'utf8'));

/** @returns the decoder's problems in each state (such as `usual`), and the states that show nothing. */
function mistakesIn(block: BlockDescription, sample: Record<string, unknown>): string[] {
  return Object.entries(sample).flatMap(([state, values]) => {
    const { context, problems } = startDecoding();
    const shown = decodeSample(block, values, context);
    return [
      ...problems.map(({ field, reason }) => `${state}: ${field}: ${reason}`),
      ...(shown === null ? [`${state}: nothing is shown`] : []),
    ];
  });
}

it('each block has a sample beside it', () => {
  const missing = BLOCKS.map(fileOf).filter(file => !existsSync(path.join(projectRoot, file)));
  expect(missing).toEqual([]);
});

describe.for(BLOCKS.filter(block => existsSync(path.join(projectRoot, fileOf(block)))))(
  'the sample of $name',
  block => {
    it('the block’s decoder accepts each state in its sample file', () => {
      const sample = read(fileOf(block));
      expect(sample).toHaveProperty('usual');
      expect(mistakesIn(block, sample)).toEqual([]);
    });

    // A block without fields has only the state `usual`.
    const hasFields = Object.keys({ ...block.fields, ...block.beside }).length > 0;
    it('the sample of a block with fields has a state with long words, and one with few values', () => {
      const states = Object.keys(read(fileOf(block)));
      expect(states.includes('long words')).toBe(hasFields);
      expect(states.some(state => state.startsWith('only '))).toBe(hasFields);
    });
  },
);

it('a wrong key in a sample is reported, and so is a state that shows nothing', () => {
  const [partners] = BLOCKS.filter(({ name }) => name === 'partners');
  if (!partners) throw new Error('no block to test with');
  const items = [{ name: 'Northbank', url: '/about' }];
  expect(mistakesIn(partners, { wrong: { titel: 'In good company', items } })).toEqual([
    expect.stringMatching(/^wrong: sample: 'titel': not shown, because the known keys are title,/),
    expect.stringMatching(/^wrong: sample\.items\[0\]: 'url': not shown/),
  ]);
  expect(mistakesIn(partners, { none: {} })).toEqual(['none: nothing is shown']);
});
