export interface ImageSize {
  width: number;
  height: number;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Reads the dimensions of an image from its first bytes.
 * @param ext the file's extension in lower case, with its dot.
 * @returns pixels, or null for other formats and for files without dimensions.
 */
export function imageSize(bytes: Buffer, ext: string): ImageSize | null {
  if (ext === '.svg') return svgSize(bytes.toString('utf8'));
  if (ext === '.png') return pngSize(bytes);
  if (ext === '.jpg' || ext === '.jpeg') return jpegSize(bytes);
  return null;
}

/** `width` and `height` where both are plain or `px` lengths, else the box that `viewBox` spans. */
function svgSize(text: string): ImageSize | null {
  const tag = /<svg\b[^>]*>/i.exec(text)?.[0] ?? '';
  const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`, 'i').exec(tag)?.[1];
  const length = (value: string | undefined) =>
    Number(/^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(value ?? '')?.[1] ?? 0);
  const box = (attribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const width = length(attribute('width'));
  const height = length(attribute('height'));
  return width > 0 && height > 0 ? rounded(width, height) : rounded(box[2], box[3]);
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
