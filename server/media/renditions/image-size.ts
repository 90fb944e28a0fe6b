export interface ImageSize {
  width: number;
  height: number;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @returns null for a file without a size, and for formats other than SVG, PNG and JPEG. */
export function imageSize(bytes: Buffer, type: string): ImageSize | null {
  if (type === 'image/svg+xml') return svgSize(bytes.toString('utf8'));
  if (type === 'image/png') return pngSize(bytes);
  if (type === 'image/jpeg') return jpegSize(bytes);
  return null;
}

/** Limit for an `<svg …>` tag, in characters. Drawing programs write a few hundred. */
const MAX_TAG = 16 * 1024;

/** @returns `width` and `height` if both are plain or `px` lengths; otherwise the size of `viewBox`. */
function svgSize(text: string): ImageSize | null {
  const begin = text.search(/<svg[\s/>]/i);
  const end = text.indexOf('>', begin);
  if (begin === -1 || end === -1) return null;
  const attributes = quotedAttributes(text.slice(begin, Math.min(end, begin + MAX_TAG)));
  const box = (attributes.get('viewbox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const width = pixels(attributes.get('width'));
  const height = pixels(attributes.get('height'));
  return width > 0 && height > 0 ? rounded(width, height) : rounded(box[2], box[3]);
}

/** @returns the attributes by lower-case name. Uses no regular expression, to take linear time. */
function quotedAttributes(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  let at = 0;
  for (let equals = tag.indexOf('='); equals !== -1; equals = tag.indexOf('=', at)) {
    const name = tag.slice(at, equals).trim().split(/\s/).at(-1) ?? '';
    const rest = tag.slice(equals + 1, equals + 20).trimStart();
    const quote = rest[0] ?? '';
    at = equals + 1;
    if (quote !== '"' && quote !== "'") continue;
    const begin = tag.indexOf(quote, at) + 1;
    const end = tag.indexOf(quote, begin);
    if (end === -1) break;
    attributes.set(name.toLowerCase(), tag.slice(begin, end));
    at = end + 1;
  }
  return attributes;
}

function pixels(value = ''): number {
  const text = value.trim();
  const number = text.endsWith('px') ? text.slice(0, -2) : text;
  return /^[\d.]{1,20}$/.test(number) ? Number(number) : 0;
}

function pngSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return null;
  return rounded(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** Walks the segments up to the first frame header (ITU T.81, B.1.1.3 and B.2.2). */
function jpegSize(bytes: Buffer): ImageSize | null {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return rounded(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function rounded(width: number | undefined, height: number | undefined): ImageSize | null {
  if (!width || !height || !Number.isFinite(width) || !Number.isFinite(height)) return null;
  if (width < 0 || height < 0) return null;
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}
