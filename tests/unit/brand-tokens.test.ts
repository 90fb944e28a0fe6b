import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Tokens } from '../../build/brand/tokens.ts';
import { BuildError } from '../../build/build-error.ts';

const css = readFileSync('tests/fixture/brand/tokens.css', 'utf8');
/** The test tokens, with the value of one replaced. */
const changed = (name: string, value: string) =>
  new Tokens(css.replace(new RegExp(`--${name}: [^;]+;`), `--${name}: ${value};`));

function complaintsOf(tokens: Tokens): string[] {
  try {
    tokens.checkContrast();
    return [];
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return error.errors.map(({ text = '' }) => text);
  }
}

describe('the contrast of tokens', () => {
  it('the site’s own tokens have enough contrast', () => {
    expect(complaintsOf(new Tokens(readFileSync('site/brand/tokens.css', 'utf8')))).toEqual([]);
  });

  it('a pair with too little contrast is reported with its scheme, its ratio and the required ratio', () => {
    expect(complaintsOf(changed('ink-muted', 'light-dark(#999, #b9b5a6)'))).toEqual([
      'Contrast: --ink-muted on --surface, light, has 2.66:1 and needs 4.5:1',
      'Contrast: --ink-muted on --surface-raised, light, has 2.80:1 and needs 4.5:1',
      'Contrast: --ink-muted on --surface-sunken, light, has 2.44:1 and needs 4.5:1',
    ]);
    expect(complaintsOf(changed('line-strong', 'light-dark(#857f6f, #333)'))).toContain(
      'Contrast: --line-strong on --surface, dark, has 1.46:1 and needs 3:1',
    );
  });

  it.each([
    ['oklch(50% 0.1 160)', /^#[\da-f]{6}$/],
    ['var(--ink)', /^#191811$/],
    ['white', /^#ffffff$/],
    ['light-dark(rgb(1, 2, 3), red)', /^#010203$/],
  ])('a token may have the value %s', (value, hex) => {
    expect(changed('accent', value).colour('accent')).toMatch(hex);
  });

  it.each(['rgb(0 0 0 / 50%)', 'thick', ''])('a colour of a pair must be opaque: %j is refused', value => {
    expect(complaintsOf(changed('accent', value))[0]).toMatch(/^tokens\.css: --accent /);
  });

  it('surfaces in brand.ts that differ from the tokens are reported with the correct line', () => {
    const surfaces = { light: ['#faf7f0', '#fffdf9', '#f2ede2'], dark: ['#13140f', '#1b1c16', '#0d0e0a'] };
    new Tokens(css).checkSurfaces({ surfaces });
    let complaint: unknown;
    try {
      changed('surface', 'light-dark(#fff, #000)').checkSurfaces({ surfaces });
    } catch (error) {
      complaint = error;
    }
    expect((complaint as BuildError).errors[0]?.text).toBe(
      "brand.ts: surfaces need the colours of tokens.css: light: ['#ffffff', '#fffdf9', '#f2ede2']",
    );
  });

  it('token names in a drawing are replaced by their values', () => {
    expect(new Tokens(css).inDrawing('<rect fill="var(--band)" stroke="var(--band-line)"/>')).toBe(
      '<rect fill="#0c2c22" stroke="#304f43"/>',
    );
  });
});
