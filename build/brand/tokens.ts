import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'lightningcss';
import type { Brand } from '../../shared/brand.ts';
import { contrast, type Rgb } from '../../shared/contrast.ts';
import type { Palette } from '../../shared/payload/build-manifest.ts';
import { BuildError } from '../build-error.ts';
import { brandDir } from '../output-files.ts';
import { reportingMistakes } from '../styles/css-modules.ts';

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** The tokens of `surfaces` in `brand.ts`, in its order. */
const SURFACES = ['surface', 'surface-raised', 'surface-sunken'];
/** The least contrast of text, of edges of controls (WCAG 2.2, 1.4.3 and 1.4.11), and of edges of cards. */
const [TEXT, EDGE, CARD] = [4.5, 3, 1.6];

/** The least contrast that `tokens` of text or edges need on the token `on`; with `only`, in one scheme. */
type Pair = readonly [on: string, least: number, tokens: readonly string[], only?: Scheme];
const PAIRS: readonly Pair[] = [
  ['surface', TEXT, ['ink', 'ink-muted', 'accent', 'accent-hover', 'positive', 'critical']],
  ['surface', EDGE, ['line-strong']],
  ['surface-raised', TEXT, ['ink', 'ink-muted', 'accent', 'accent-hover', 'critical']],
  ['surface-raised', EDGE, ['line-strong']],
  // Check this in dark only: on light surfaces, cards also have a shadow.
  ['surface', CARD, ['line'], 'dark'],
  ['surface-raised', CARD, ['line'], 'dark'],
  ['surface-sunken', TEXT, ['ink', 'ink-muted', 'accent']],
  ['surface-sunken', TEXT, ['code-keyword', 'code-string', 'code-number', 'code-name']],
  ['accent-soft', TEXT, ['ink', 'accent']],
  ['critical-soft', TEXT, ['ink', 'critical']],
  ['accent', TEXT, ['accent-ink']],
  ['accent-hover', TEXT, ['accent-ink']],
  ['band', TEXT, ['band-ink', 'band-muted', 'band-accent', 'band-critical']],
  ['band', EDGE, ['band-line-strong']],
  ['band', CARD, ['band-line']],
  ['band-accent', TEXT, ['band']],
  ['band-ink', TEXT, ['band']],
  ['band-accent-soft', TEXT, ['band-ink', 'band-accent']],
  ['band-critical-soft', TEXT, ['band-ink', 'band-critical']],
];

export class Tokens {
  readonly #values: ReadonlyMap<string, string>;

  constructor(css: string) {
    const [first = '', ...others] = css.split('/*');
    const rules = [first, ...others.map(part => part.slice(part.indexOf('*/') + 2))].join('');
    this.#values = new Map(
      rules
        .split(/[;{}]/)
        .map(declaration => declaration.trim())
        .filter(declaration => declaration.startsWith('--'))
        .map(declaration => {
          const colon = declaration.indexOf(':');
          return [declaration.slice(2, colon).trim(), declaration.slice(colon + 1).trim()];
        }),
    );
  }

  static async read(): Promise<Tokens> {
    return new Tokens(await readFile(join(brandDir, 'tokens.css'), 'utf8'));
  }

  /** @returns an opaque colour as `#rrggbb`. @throws BuildError */
  colour(token: string, scheme: Scheme = 'light'): string {
    return hexOf(this.#rgb(token, scheme));
  }

  /** @returns all opaque colours, for SVG drawings in the content that use tokens. */
  palette(): Palette {
    return Object.fromEntries(
      [...this.#values.keys()].flatMap(token => {
        const colours = SCHEMES.map(scheme => this.#find(token, scheme)).map(rgb => rgb && hexOf(rgb));
        const [light, dark] = colours;
        return light && dark ? [[token, [light, dark] as const]] : [];
      }),
    );
  }

  /** Whether white stands out more than black on a token. */
  isDark(token: string): boolean {
    const colour = this.#rgb(token, 'light');
    return contrast(colour, [255, 255, 255]) > contrast(colour, [0, 0, 0]);
  }

  inDrawing(svg: string): string {
    return svg.replaceAll(/var\(--([\w-]+)\)/g, (_use, token: string) => this.colour(token));
  }

  /** @throws BuildError with each pair that falls short, its ratio and what it needs. */
  checkContrast(): void {
    const short = SCHEMES.flatMap(scheme =>
      PAIRS.filter(([, , , only = scheme]) => only === scheme).flatMap(([on, least, tokens]) =>
        tokens.flatMap(token => {
          const ratio = contrast(this.#rgb(token, scheme), this.#rgb(on, scheme));
          const figures = `has ${ratio.toFixed(2)}:1 and needs ${least}:1`;
          return ratio < least ? [`--${token} on --${on}, ${scheme}, ${figures}`] : [];
        }),
      ),
    );
    if (short.length > 0) throw new BuildError(short.map(text => ({ text: `Contrast: ${text}` })));
  }

  /** Compares `brand.ts` with the tokens. @throws BuildError with the line to write. */
  checkSurfaces({ surfaces }: Pick<Brand, 'surfaces'>): void {
    for (const scheme of SCHEMES) {
      const wanted = SURFACES.map(token => this.colour(token, scheme)).join("', '");
      if (surfaces[scheme].join("', '") !== wanted)
        throw new BuildError([
          { text: `brand.ts: surfaces need the colours of tokens.css: ${scheme}: ['${wanted}']` },
        ]);
    }
  }

  #rgb(token: string, scheme: Scheme): Rgb {
    const value = this.#values.get(token);
    const refuse = (text: string) => new BuildError([{ text: `tokens.css: --${token} ${text}` }]);
    if (value === undefined) throw refuse('is missing');
    const rgb = this.#find(token, scheme);
    if (!rgb) throw refuse(`is no opaque colour: ${valueIn(scheme, value)}`);
    return rgb;
  }

  #find(token: string, scheme: Scheme): Rgb | null {
    const one = valueIn(scheme, this.#values.get(token) ?? '');
    const other = /^var\(--([\w-]+)\)$/.exec(one)?.[1];
    return other === undefined ? readColour(one) : this.#find(other, scheme);
  }
}

function hexOf(colour: Rgb): string {
  return `#${colour.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}

function valueIn(scheme: Scheme, value: string): string {
  if (!value.startsWith('light-dark(')) return value;
  const both = value.slice('light-dark('.length, -1);
  let depth = 0;
  const comma = Array.from(both).findIndex(character => {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    return character === ',' && depth === 0;
  });
  return (scheme === 'light' ? both.slice(0, comma) : both.slice(comma + 1)).trim();
}

/** @returns null for a translucent colour, and for text that is not a colour. */
function readColour(text: string): Rgb | null {
  // With old browsers as its target, lightningcss converts every colour to sRGB.
  const code = Buffer.from(`a{color:${text}}`);
  const lowered = reportingMistakes('tokens.css', () =>
    transform({ filename: 'tokens.css', code, targets: { chrome: 80 << 16 } }),
  );
  let found: Rgb | null = null;
  transform({
    filename: 'tokens.css',
    code: lowered.code,
    visitor: {
      Color(colour) {
        if (typeof colour === 'object' && colour.type === 'rgb' && colour.alpha === 1)
          found ??= [colour.r, colour.g, colour.b];
        return colour;
      },
    },
  });
  return found;
}
