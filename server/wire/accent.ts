import { createHash } from 'node:crypto';
import { contrast, type Rgb } from '../../shared/contrast.ts';
import { brand } from '../../site/brand.ts';

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const LEAST = 4.5;
/** The contrast to which the accent is lightened for dark surfaces. */
const ON_DARK = 7;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

interface Accent {
  /** The address of the stylesheet. A changed colour or brand changes it. */
  readonly address: string;
  readonly css: string;
}

export function accentOf(value: string): Accent | string {
  const light = colourOf(value);
  if (!light) return 'a colour such as #a4262c is needed';
  const surfaces = { light: brand.surfaces.light.map(toColour), dark: brand.surfaces.dark.map(toColour) };
  const soft = mixed(surfaces.light[0] ?? WHITE, light, 0.1);
  const onLight = leastContrast(light, [...surfaces.light, soft]);
  if (onLight < LEAST)
    return `its contrast on light surfaces is ${ratio(onLight)}, and texts need ${ratio(LEAST)}`;
  const softOn = (accent: Rgb) => mixed(surfaces.dark[0] ?? BLACK, accent, 0.14);
  const steps = Array.from({ length: 21 }, (_, step) => mixed(light, WHITE, step / 20));
  const dark = steps.find(one => leastContrast(one, [...surfaces.dark, softOn(one)]) >= ON_DARK);
  if (!dark) return `no shade of it has a contrast of ${ratio(ON_DARK)} on dark surfaces`;
  const pairs = {
    accent: [light, dark],
    'accent-hover': [mixed(light, BLACK, 0.25), mixed(dark, WHITE, 0.35)],
    'accent-ink': [WHITE, BLACK],
    'accent-soft': [soft, softOn(dark)],
  } as const;
  const lines = Object.entries(pairs).map(([name, [a, b]]) => `--${name}:light-dark(${hex(a)},${hex(b)})`);
  const css = `:root{${lines.join(';')}}`;
  const hash = createHash('sha256').update(css).digest('hex').slice(0, 8);
  return { address: `/accent/${hex(light).slice(1)}-${hash}.css`, css };
}

function colourOf(value: string): Rgb | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value.trim())?.[1];
  if (digits === undefined) return null;
  return toColour(`#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`);
}

function toColour(six: string): Rgb {
  const number = Number.parseInt(six.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function hex(colour: Rgb): string {
  return `#${colour.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [at(0), at(1), at(2)];
}

function leastContrast(text: Rgb, surfaces: readonly Rgb[]): number {
  return Math.min(...surfaces.map(surface => contrast(text, surface)));
}

/** Rounds down, so that a ratio that falls short never reads as enough. */
function ratio(value: number): string {
  return `${Math.floor(value * 100) / 100}:1`;
}
