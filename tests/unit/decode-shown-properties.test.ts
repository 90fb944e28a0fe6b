import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeArticle } from '../../server/decode/decode-blog.ts';
import { decodeLanding } from '../../server/decode/decode-landing.ts';
import { decodeSettings } from '../../server/decode/decode-settings.ts';
import { entryOf } from '../../server/wire/wire.ts';
import { decodeRows, startDecoding } from '../support/decoding.ts';
import { runs } from '../support/in-full.ts';

/** Builds a value in which each word occurs once. */
type Build = (next: () => string) => unknown;

const KEYS = (
  'title text items steps question answer href link icon children name logo value label note block custom primary secondary eyebrow ' +
  'email phone address url alternativeText titel'
).split(' ');

const value = fc.letrec<{ value: Build }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<Build>(next => next()),
    fc.constant<Build>(next => `/${next()}`),
    fc.constantFrom('ftp://', 'javascript:', '/uploads/', 'https://').map(
      (start): Build =>
        next =>
          `${start}${next()}`,
    ),
    fc.constantFrom<unknown>(null, 7, '', 'faq', true).map(
      (plain): Build =>
        () =>
          plain,
    ),
    fc.array(tie('value'), { maxLength: 3 }).map(
      (all): Build =>
        next =>
          all.map(one => one(next)),
    ),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 4 }).map(
      (entries): Build =>
        next =>
          Object.fromEntries([...new Map(entries)].map(([key, one]) => [key, one(next)])),
    ),
    tie('value').map(
      (one): Build =>
        next =>
          JSON.stringify(one(next)),
    ),
  ),
})).value;

const LANDING = (
  'title description h1 headerBlock paymentsBlock directionsBlock partnersBlock metricsBlockUsdList metricsBlockPositiveQualities ' +
  'earnMoreBlock contactsBlock contactsListWithCheckmarks faqBlock faqBlockContent subscribeBlockSocials positionsAndCustomBlocks'
).split(' ');
const SETTINGS = 'siteName headerLinks footerLinks socials'.split(' ');
const ARTICLE = 'title description h1 body questions seoTitle seoDescription'.split(' ');

const fieldsFrom = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), value), { minLength: 1, maxLength: 3 });

/**
 * Decodes fields. Asserts that the decoded value has each word, or that a problem names its field and place.
 */
function expectShownOrNamed(
  fields: readonly (readonly [string, Build])[],
  decode: (row: Record<string, unknown>, decoding: ReturnType<typeof startDecoding>) => object,
): void {
  let count = 0;
  const row: Record<string, unknown> = { id: 1 };
  const words = new Map<string, string>();
  for (const [name, build] of new Map(fields)) {
    row[name] = build(() => {
      count += 1;
      const word = `w${count}x`;
      words.set(word, name);
      return word;
    });
  }
  const decoding = startDecoding();
  const { attributes: _raw, ...decoded } = decode(row, decoding) as Record<string, unknown>;
  const shown = JSON.stringify(decoded);
  for (const [word, name] of words) {
    if (shown.includes(word)) continue;
    const named = decoding.problems.filter(
      ({ kind, field }) => kind === 'row-left-out' || field?.split(/[.[]/, 1)[0] === name,
    );
    if (named.length === 0) expect.fail(`${word} vanishes from ${JSON.stringify(row)}, which is ${shown}`);
  }
}

describe('every text of a field is shown, or a problem names the field', () => {
  it('each text of the landing page is shown, or a problem names its field', () => {
    fc.assert(
      fc.property(fieldsFrom(LANDING), fields =>
        expectShownOrNamed(fields, (row, { context }) =>
          decodeLanding(entryOf(row) ?? expect.fail('no entry'), context),
        ),
      ),
      { numRuns: runs(1_500) },
    );
  });

  it('each text of the settings is shown, or a problem names its field', () => {
    fc.assert(
      fc.property(fieldsFrom(SETTINGS), fields =>
        expectShownOrNamed(fields, (row, { context }) =>
          decodeSettings(entryOf(row) ?? expect.fail('no entry'), context),
        ),
      ),
      { numRuns: runs(1_000) },
    );
  });

  it('each text of an article is shown, or a problem names its field', () => {
    fc.assert(
      fc.property(fieldsFrom(ARTICLE), fields =>
        expectShownOrNamed(fields, (row, { context }) => {
          const complete = { title: 'T', slug: 't', date: '2026-01-01', ...row };
          return decodeRows('articles', { data: [complete] }, decodeArticle, context)?.[0] ?? {};
        }),
      ),
      { numRuns: runs(1_000) },
    );
  });
});
