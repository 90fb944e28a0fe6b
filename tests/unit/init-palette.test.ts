import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Tokens } from '../../build/brand/tokens.ts';
import { brandDir } from '../../build/output-files.ts';
import { paletteOf } from '../../tools/init/palette.ts';

const css = readFileSync(path.join(brandDir, 'tokens.css'), 'utf8');

describe('the palette of an accent', () => {
  it.each([
    ['#a4262c', false],
    ['#0057b7', false],
    ['#000000', false],
    ['#ff6a00', true],
    ['#777777', true],
  ])('%s has enough contrast in both schemes, darkened: %s', (accent, isDarkened) => {
    const palette = paletteOf(css, accent);
    expect(palette.isDarkened).toBe(isDarkened);
    const tokens = new Tokens(palette.css);
    tokens.checkContrast();
    if (!isDarkened) expect(tokens.colour('accent')).toBe(accent);
    // Other tokens and the comments stay.
    expect(palette.css.split('\n')).toHaveLength(css.split('\n').length);
    expect(tokens.colour('surface')).toBe(new Tokens(css).colour('surface'));
  });
});
