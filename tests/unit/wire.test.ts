import { describe, expect, it } from 'vitest';
import { textOf } from '../../server/wire/wire.ts';

describe('textOf', () => {
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
    ['\u0000', null],
    [' \u0000 \u001b', null],
    ['a\u0000\u0008\u007f\uffffb', 'ab'],
    ['a\tb\r\nc', 'a\tb\r\nc'],
  ])('textOf turns %j into %j', (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});
