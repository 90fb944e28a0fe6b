import { describe, expect, it } from 'vitest';
import { imageSize } from '../../server/media/renditions/image-size.ts';

const sizeOf = (svg: string) => imageSize(Buffer.from(svg), 'image/svg+xml');

describe('the size of an SVG', () => {
  it.each<[string, string, [number, number] | null]>([
    ['width and height', '<svg width="120" height="80.4"/>', [120, 80]],
    ['lengths in px', "<?xml version='1.0'?>\n<SVG HEIGHT = '8px'\n\twidth= '9px'>", [9, 8]],
    ['the box', '<svg viewBox="0, 0 24 12" width="100%" height="2em">', [24, 12]],
    [
      'the box, although another attribute ends in its name',
      '<svg data-viewBox="0 0 9 9" viewBox="0 0 3 4">',
      [3, 4],
    ],
    ['a comment before', '<!-- <svgs> --><svg viewBox="0 0 3 4">', [3, 4]],
    ['an attribute without quotes', '<svg x=1 width="3" height="4">', [3, 4]],
    ['no size', '<svg xmlns="http://www.w3.org/2000/svg">', null],
    ['no end of the tag', '<svg width="3" height="4"', null],
    ['no end of an attribute', '<svg width="3" height="4>', null],
    ['negative lengths', '<svg width="-3" height="4">', null],
    ['another element', '<svgs width="3" height="4">', null],
  ])('imageSize returns the size of an SVG, or null: %s', (_name, svg, size) => {
    expect(sizeOf(svg)).toEqual(size && { width: size[0], height: size[1] });
  });

  // A backtracking expression would need minutes for these inputs, and this test would not end.
  it.each([
    ['tags that do not end', '<svg'.repeat(250_000)],
    ['tags that do not end, with space', '<svg '.repeat(200_000)],
    ['white space', `<svg ${' '.repeat(1_000_000)}>`],
    ['an attribute without a value', `<svg ${'width '.repeat(160_000)}>`],
    ['an equals sign without a value', `<svg ${'width= '.repeat(140_000)}>`],
    ['digits', `<svg width="${'1'.repeat(1_000_000)}" height="1">`],
    ['a box of white space', `<svg viewBox="${' '.repeat(16_000)}0 0 1">`],
  ])('the size of an SVG is null for a megabyte of %s', (_name, svg) => {
    expect(sizeOf(svg)).toBeNull();
  });
});
