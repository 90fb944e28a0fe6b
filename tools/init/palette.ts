import { Tokens } from '../../build/brand/tokens.ts';

/** Tokens with the accent's hue: their lightness in both schemes, and their share of the accent's chroma. */
const TINTED: Readonly<Record<string, readonly [light: number, dark: number, chroma: number]>> = {
  'accent-ink': [0.985, 0.2, 0.1],
  'accent-soft': [0.94, 0.27, 0.18],
  band: [0.27, 0.26, 0.4],
  'band-line': [0.41, 0.41, 0.35],
  'band-line-strong': [0.66, 0.66, 0.25],
  'band-muted': [0.82, 0.82, 0.12],
  'band-accent': [0.84, 0.84, 0.7],
  'band-accent-soft': [0.35, 0.35, 0.4],
};
const STEPS = 100;
const LINE_WIDTH = 110;

/**
 * Gives a `tokens.css` the colours that follow from one accent. An accent too light for links is darkened.
 * @throws BuildError if no lightness of this hue suffices.
 */
export function paletteOf(css: string, accent: string) {
  for (let step = 0; ; step += 1) {
    const tinted = withAccent(css, accent, step / STEPS);
    try {
      new Tokens(tinted).checkContrast();
      return { css: tinted, isDarkened: step > 0 };
    } catch (error) {
      if (step === STEPS) throw error;
    }
  }
}

/** @param darker how much darker links on paper are than the accent, from 0 to 1. */
function withAccent(css: string, accent: string, darker: number): string {
  const tint = (lightness: number | string, chroma: number) =>
    `oklch(from ${accent} ${lightness} calc(c * ${chroma}) h)`;
  const darkened = (by: number) => tint(`calc(l - ${by})`, 1);
  const light = darker === 0 ? accent : darkened(darker);
  const bandInk = `oklch(from ${accent} 0.97 0.01 h)`;
  const values: Record<string, readonly [light: string, dark: string]> = {
    accent: [light, tint(0.8, 0.75)],
    'accent-hover': [darkened(darker + 0.08), tint(0.87, 0.8)],
    'drawing-accent': [light, tint(0.7, 0.8)],
    'band-ink': [bandInk, bandInk],
  };
  for (const [token, [light, dark, chroma]] of Object.entries(TINTED))
    values[token] = [tint(light, chroma), tint(dark, chroma)];
  return css.replace(/^(\s*--([\w-]+):)[^;]*;/gm, (declaration, head: string, token: string) =>
    values[token] ? declarationOf(head, ...values[token]) : declaration,
  );
}

/** Writes a declaration as the formatter does. */
function declarationOf(head: string, light: string, dark: string): string {
  const line = `${head} ${light === dark ? light : `light-dark(${light}, ${dark})`};`;
  return line.length <= LINE_WIDTH ? line : `${head} light-dark(\n    ${light},\n    ${dark}\n  );`;
}
