import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildFaces, readFontFiles, subsetFontFile } from '../../build/brand/faces.ts';
import { listFiles, projectRoot } from '../../build/output-files.ts';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import { brand } from '../../site/brand.ts';
import { launchBrowser } from '../support/browser.ts';

const read = (file: string) => readFileSync(path.join(projectRoot, file));
const manifest: BuildManifest = JSON.parse(read('dist/manifest.json').toString());

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
/** Latin-1, and other characters of the fonts that texts use. */
const CHARACTERS = [...range(0x21, 0x7e), ...range(0xa1, 0xff), ...'ıŒœˆ˚˜–—‘’‚“”„•…‹›⁄€−'];
/** Kerned pairs, tabular figures, and a letter with a separate accent. */
const WORDS = ['AVATAR', 'To We Ty', '“Yes”, 11.07', 'e\u0301', 'fi ffl'];

const { display, text } = brand.faces;
const sources = await Promise.all([readFontFiles(display, [500, 500]), readFontFiles(text, [400, 700])]);

/** Each preloaded font: the original from the package, and the built subset. */
const pairs = sources
  .flat()
  .filter(({ isFirst }) => isFirst)
  .map(face => {
    const name = path.basename(face.name, '.woff2');
    const address = manifest.fonts.find(font => path.basename(font).startsWith(`${name}-`)) ?? '';
    return { name, face, whole: face.bytes, built: read(`dist/client${address}`) };
  });

// The numbers below belong to the sample's fonts. `brands.test.ts` builds others.
beforeEach(({ skip }) => skip(!text.from.endsWith('/figtree'), 'site/brand is no longer the sample'));

describe('the fonts of the build', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('the built fonts are those of the stylesheet, each smaller than the package’s', () => {
    expect(pairs.map(({ face }) => face.weights)).toEqual([
      [500, 500],
      [400, 700],
    ]);
    for (const { name, whole, built } of pairs) expect(built.length, name).toBeLessThan(whole.length * 0.9);
  });

  it('the built fonts have equal bytes in every build', async () => {
    for (const { name, face, whole, built } of pairs) {
      const again = await subsetFontFile({ bytes: whole, weights: face.weights });
      expect(built.equals(again), name).toBe(true);
    }
  });

  it.each(pairs)('the built font $name has the letters and metrics of the original', async pair => {
    const { whole, built, face } = pair;
    const page = await browser.newPage();
    const measured = await page.evaluate(
      async ({ files, weights, texts }) => {
        for (const [family, data] of Object.entries(files)) {
          const bytes = Uint8Array.from(atob(data), character => character.charCodeAt(0));
          const [least, most] = family === 'built' ? weights : [100, 900];
          const font = new FontFace(family, bytes, { weight: `${least} ${most}` });
          document.fonts.add(await font.load());
        }
        const span = document.createElement('span');
        span.style.cssText = 'font-size: 400px; white-space: pre; position: absolute';
        document.body.append(span);
        const widthsIn = (family: string, weight: number, figures: string) =>
          texts.map(text => {
            // Missing glyphs come from a monospaced font, so their width reveals them.
            span.style.fontFamily = `${family}, monospace`;
            span.style.fontWeight = String(weight);
            span.style.fontVariantNumeric = figures;
            span.textContent = text;
            return [text, Math.round(span.getBoundingClientRect().width)] as const;
          });
        return [...new Set(weights), (weights[0] + weights[1]) / 2].flatMap(weight =>
          ['normal', 'tabular-nums lining-nums'].map(figures => ({
            weight,
            figures,
            whole: widthsIn('whole', weight, figures),
            built: widthsIn('built', weight, figures),
            lacking: widthsIn('nothing', weight, figures),
          })),
        );
      },
      {
        files: { whole: whole.toString('base64'), built: built.toString('base64') },
        weights: face.weights as [number, number],
        texts: [...CHARACTERS, ...WORDS],
      },
    );
    await page.close();
    for (const { weight, figures, ...widths } of measured) {
      // Widths between two weights are rounded to a thousandth of an em: here 0.4 pixels. The tabular 0 of
      // the display face differs by a fiftieth, because its outlines and its width table disagree.
      const elsewhere = widths.built.filter(
        ([text, width], index) =>
          Math.abs(width - (widths.whole[index]?.[1] ?? 0)) > (text === '0' ? 8 : text.length),
      );
      expect(elsewhere, `${weight} ${figures}`).toEqual([]);
      // Checks the measurement itself: nearly all letters of another font have other widths.
      const same = widths.built.filter(([, width], index) => width === widths.lacking[index]?.[1]);
      expect(same.length).toBeLessThan(30);
    }
    // Tabular figures, where the stylesheet asks for them, have one width.
    for (const { figures, built } of measured) {
      const digits = built.flatMap(([text, width]) => (/^\d$/.test(text) ? width : []));
      const spread = Math.max(...digits) - Math.min(...digits);
      if (figures === 'normal') expect(spread).toBeGreaterThan(20);
      else expect(spread).toBeLessThanOrEqual(8);
    }
  });

  it('the built fonts have all weights that the stylesheets use', async () => {
    const files = [...(await listFiles('shared')), ...(await listFiles('site'))].filter(file =>
      file.endsWith('.css'),
    );
    const asked = files.flatMap(file =>
      Array.from(
        read(file)
          .toString()
          .matchAll(/^ +font-weight: (\d+);/gm),
        ([, weight]) => Number(weight),
      ),
    );
    expect(asked.length).toBeGreaterThan(20);
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(Math.min(...text.weights));
    expect(Math.max(...asked)).toBeLessThanOrEqual(Math.max(...text.weights));
  });
});

it('the first fallback of each face has the width and height that were measured in Chromium', async () => {
  const { css } = await buildFaces(brand);
  // `browser/late-fonts` tests the second fallback, for DejaVu.
  const found = Array.from(
    css.matchAll(
      / Fallback"[^}]*size-adjust: ([\d.]+)%; ascent-override: ([\d.]+)%; descent-override: ([\d.]+)%/g,
    ),
    ([, ...figures]) => figures.map(Number),
  );
  const measured = [
    [101.2, 93.9, 24.7],
    [115, 108.7, 37],
  ];
  expect(found.length).toBe(measured.length);
  found.flat().forEach((figure, index) => {
    expect(Math.abs(figure - (measured.flat()[index] ?? 0)), `${figure}`).toBeLessThan(1);
  });
});
