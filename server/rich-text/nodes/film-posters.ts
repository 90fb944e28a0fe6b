import { type Image, madePicture, RENDITION_WIDTHS } from '../../../shared/content/image.ts';
import type { RichNode, RichText } from '../../../shared/content/rich-text.ts';

/** The width of the text column, in which videos play, in pixels. */
const WIDTH = 960;

/** @returns the text, in which each video without a poster shows the page's cover. */
export function withPosters(text: RichText, cover: Image | null): RichText {
  return cover === null ? text : text.map(node => withPoster(node, cover));
}

function withPoster(node: RichNode, cover: Image): RichNode {
  if (typeof node === 'string') return node;
  const [tag, attributes, children] = node;
  if (tag === 'video')
    return attributes?.poster ? node : [tag, { ...attributes, poster: posterOf(cover) }, children];
  if (tag !== 'oembed') return [tag, attributes, withPosters(children, cover)];
  const { src, width, height, scaled } = cover;
  const size = width && height ? { width, height } : {};
  const hasPicture = children.some(child => typeof child !== 'string' && child[0] === 'img');
  return hasPicture ? node : [tag, attributes, [['img', { src, alt: '', scaled, ...size }, []], ...children]];
}

export function posterOf({ src, width, scaled }: Image): string {
  const rendition = RENDITION_WIDTHS.find(wide => wide >= Math.min(width ?? WIDTH, WIDTH));
  return scaled && rendition ? madePicture(src, `${rendition}.webp`) : src;
}
