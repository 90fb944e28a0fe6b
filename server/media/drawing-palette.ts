import { createHash } from 'node:crypto';
import type { Palette } from '../../shared/payload/build-manifest.ts';

/** A token in a drawing, perhaps with the colour for programs without tokens. */
const TOKEN = /var\(--([\w-]+)(?:,([^()]*))?\)/g;

/** The brand's colours for drawings. Browsers choose those of the scheme that the page is shown in. */
export class DrawingPalette {
  readonly #palette: Palette;
  readonly version: string;

  constructor(palette: Palette) {
    this.#palette = palette;
    this.version = createHash('sha256').update(JSON.stringify(palette)).digest('base64url').slice(0, 12);
  }

  /** @returns the drawing with the colours of its tokens; null for a drawing without tokens of the brand. */
  added(svg: string): string | null {
    const names = new Set(Array.from(svg.matchAll(TOKEN), ([, name = '']) => name));
    const used = [...names].flatMap(name => {
      const colours = Object.hasOwn(this.#palette, name) ? this.#palette[name] : undefined;
      return colours ? [[name, colours] as const] : [];
    });
    const root = svg.indexOf('<svg');
    const end = svg.indexOf('>', root);
    if (used.length === 0 || root < 0 || end < 0) return null;
    const rule = (scheme: 0 | 1) => `:root{${used.map(([name, of]) => `--${name}:${of[scheme]}`).join(';')}}`;
    const style = `<style>${rule(0)}@media(prefers-color-scheme:dark){${rule(1)}}</style>`;
    return svg.slice(0, end + 1) + style + svg.slice(end + 1);
  }

  /** @returns the drawing with colours for light surfaces in place of tokens. */
  inked(svg: string): string {
    return svg.replaceAll(
      TOKEN,
      (_use, name: string, other = '') => this.#palette[name]?.[0] ?? other.trim(),
    );
  }
}
