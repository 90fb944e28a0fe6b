import { describe, expect, it } from 'vitest';
import { textOf } from '../../server/content/wire.ts';

describe('a text', () => {
  it.each([
    [' a ', 'a'],
    ['', null],
    [' \n', null],
    [7, '7'],
    [Number.NaN, null],
    [null, null],
    [{}, null],
    ['a\ud800b', 'a\ufffdb'],
    ['\udc00', '\ufffd'],
    ['😀', '😀'],
  ])('%j is %j', (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});
