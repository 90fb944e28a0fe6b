import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Tokens } from '../../build/brand/tokens.ts';
import { paletteOf } from '../../tools/init/palette.ts';

const FORMAT = ['format', '--stdin-file-path', 'tokens.css'];
const css = readFileSync('tests/fixture/brand/tokens.css', 'utf8');

describe('the palette of an accent', () => {
  it.each([
    ['#a4262c', '#a4262c'],
    ['#0057b7', '#0057b7'],
    ['#000000', '#000000'],
    // These accents are too light. They are darkened only as far as links on paper need.
    ['#ff6a00', '#bc4000'],
    ['#777777', '#696969'],
  ])('the accent %s is used as %s, with enough contrast in both schemes', (accent, used) => {
    const palette = paletteOf(css, accent);
    expect(palette.isDarkened).toBe(used !== accent);
    const tokens = new Tokens(palette.css);
    tokens.checkContrast();
    expect(tokens.colour('accent')).toBe(used);
    // Other tokens and the comments stay.
    expect(palette.css.match(/^ *\/\*.*$/gm)).toEqual(css.match(/^ *\/\*.*$/gm));
    expect(execFileSync('node_modules/.bin/biome', FORMAT, { input: palette.css, encoding: 'utf8' })).toBe(
      palette.css,
    );
    expect(tokens.colour('surface')).toBe(new Tokens(css).colour('surface'));
  });
});
