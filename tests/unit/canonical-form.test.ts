import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalForm } from '../../shared/routing/canonical-form.ts';

const texts = fc.string({ unit: 'grapheme', maxLength: 12 });

describe('the canonical form', () => {
  it.each([
    ['AboutUs', 'aboutus'],
    ['Über-Uns', 'über-uns'],
    ['Über-Uns'.normalize('NFD'), 'über-uns'],
    // The letter has no capital form, so upper case decomposes its accent.
    ['J\u030c', '\u01f0'],
    ['\u212a', 'k'],
  ])('the canonical form of %s is %s', (text, form) => expect(canonicalForm(text)).toBe(form));

  it('the canonical form of a canonical form is itself', () => {
    fc.assert(
      fc.property(texts, text => {
        expect(canonicalForm(canonicalForm(text))).toBe(canonicalForm(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('composed and decomposed texts have the same canonical form', () => {
    fc.assert(
      fc.property(texts, text => {
        expect(canonicalForm(text.normalize('NFD'))).toBe(canonicalForm(text.normalize('NFC')));
      }),
      { numRuns: 2_000 },
    );
  });
});
