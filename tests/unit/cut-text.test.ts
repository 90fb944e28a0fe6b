import { describe, expect, it } from 'vitest';
import { cutToFit } from '../../server/media/scaling/draw-card.ts';

/** Cuts a text to a number of characters. @returns the cut text and the number of tries. */
async function cut(text: string, most: number): Promise<{ cut: string; tries: number }> {
  let tries = 0;
  const result = await cutToFit(text, async part => {
    tries += 1;
    return part.length <= most;
  });
  return { cut: result, tries };
}

describe('a text that is too long', () => {
  it.each([
    ['It fits', 7, 'It fits'],
    ['One two three', 10, 'One two…'],
    ['One, two: three', 11, 'One, two…'],
    ['One – two', 7, 'One…'],
    ['Donaudampfschifffahrt', 6, 'Donau…'],
    ['👩‍👩‍👧 and more', 9, '👩‍👩‍👧…'],
    ['كيف تصل المدفوعات', 9, 'كيف تصل…'],
    ['Nothing', 0, '…'],
  ])('cutText shortens %s to %d characters: %s', async (text, most, expected) => {
    expect((await cut(text, most)).cut).toBe(expected);
  });

  it('cutText needs few tries for a long text', async () => {
    expect((await cut('word '.repeat(60), 100)).tries).toBeLessThan(12);
  });
});
