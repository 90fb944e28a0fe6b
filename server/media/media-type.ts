import { attachment, mediaHeaders } from '../http/send-file.ts';

/** The number of first bytes that decide the type. An SVG file may begin with long comments. */
export const TYPE_BYTES = 16 * 1024;

/** A media type, and the bytes that all files of this type have at certain offsets. */
type Signature = readonly [type: string, ...parts: (readonly [offset: number, bytes: string])[]];

/**
 * Media types by the first bytes of a file. Pictures, fonts and audio:
 * https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern. MP4 and AVIF: ISO/IEC 14496-12 (`ftyp`).
 * WebM: RFC 9559. PDF: ISO 32000. MP3: ISO/IEC 11172-3. AAC: ISO/IEC 13818-7.
 */
const SIGNATURES: readonly Signature[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/x-icon', [0, '\x00\x00\x01\x00']],
  ['image/bmp', [0, 'BM'], [6, '\x00\x00\x00\x00']],
  ['font/woff2', [0, 'wOF2']],
  ['font/woff', [0, 'wOFF']],
  ['font/ttf', [0, '\x00\x01\x00\x00']],
  ['font/otf', [0, 'OTTO']],
  ['image/avif', [4, 'ftypavif']],
  ['image/avif', [4, 'ftypavis']],
  ['video/quicktime', [4, 'ftypqt  ']],
  ['video/webm', [0, '\x1a\x45\xdf\xa3']],
  ['audio/mp4', [4, 'ftypM4A ']],
  ['audio/mpeg', [0, 'ID3']],
  ...['\xfb', '\xf3', '\xf2'].map((second): Signature => ['audio/mpeg', [0, `\xff${second}`]]),
  ...['\xf1', '\xf9'].map((second): Signature => ['audio/aac', [0, `\xff${second}`]]),
  ['audio/ogg', [0, 'OggS\x00']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/flac', [0, 'fLaC']],
  ['application/pdf', [0, '%PDF-']],
];
/** Brands in the `ftyp` box of files that browsers play as MP4. */
const MP4 = /^(?:iso[m\d]|mp4[12]|avc1|M4V|dash|mmp4|f4v)/;
/** WebVTT, perhaps after a byte order mark: https://www.w3.org/TR/webvtt1/#file-structure */
const CAPTIONS = /^(?:\xef\xbb\xbf)?WEBVTT(?:[ \t\r\n]|$)/;
const SIGNATURE_LENGTH = 16;

const STYLE_OR_SCRIPT =
  /^(?:text\/css|text\/javascript|application\/javascript|application\/x-javascript)(?:;|$)/;

/**
 * Finds the type by the first bytes of a file: its name and `Content-Type` may be wrong or forged.
 * @param declared the origin's `Content-Type`, for stylesheets and scripts, which have no signature.
 */
export function mediaType(head: Buffer, declared: string): string | null {
  const start = head.toString('latin1', 0, SIGNATURE_LENGTH);
  const known = SIGNATURES.find(([, ...parts]) =>
    parts.every(([offset, bytes]) => start.startsWith(bytes, offset)),
  );
  if (known) return known[0];
  if (CAPTIONS.test(start)) return 'text/vtt';
  if (start.startsWith('ftyp', 4) && MP4.test(start.slice(8))) return 'video/mp4';
  if (isSvg(head.toString('utf8'))) return 'image/svg+xml';
  return STYLE_OR_SCRIPT.test(declared) ? declared : null;
}

export function isStyleOrScript(type: string): boolean {
  return STYLE_OR_SCRIPT.test(type);
}

/** Whether the browser opens the file. Other files are downloaded. */
function isShownInline(type: string): boolean {
  return type.startsWith('image/') || type.startsWith('font/') || isStyleOrScript(type);
}

/** Whether compression helps. Other media are already compressed. */
export function isCompressible(type: string): boolean {
  return type === 'image/svg+xml' || isStyleOrScript(type);
}

/** @param path the request's path. Its last segment becomes the name of a downloaded file. */
export function headersOf(type: string, path: string): Record<string, string> {
  const disposition = isShownInline(type) ? null : attachment(path, type);
  return mediaHeaders({ type, disposition, isCompressible: isCompressible(type) });
}

/** Markup before the root element (XML 1.0, 2.8). */
const PROLOG: readonly (readonly [begin: string, end: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
];

function isSvg(text: string): boolean {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
    const end = endOfProlog(text, at);
    if (end === null) break;
    at = end;
  }
  return text.startsWith('<svg', at) && /[\s/>]/.test(text.charAt(at + 4));
}

/** @returns the end of a declaration, comment or document type at a position; null if there is none. */
function endOfProlog(text: string, at: number): number | null {
  const endAfter = (end: string, from: number) => {
    const found = text.indexOf(end, from);
    return found === -1 ? null : found + end.length;
  };
  const known = PROLOG.find(([begin]) => text.startsWith(begin, at));
  if (known) return endAfter(known[1], at + known[0].length);
  if (!/^<!doctype\s/i.test(text.slice(at, at + 10))) return null;
  // Skip the brackets of a document type, because the entities declared there may contain `>`.
  const close = text.indexOf('>', at);
  const bracket = text.indexOf('[', at);
  return bracket !== -1 && bracket < close ? endAfter(']>', bracket) : endAfter('>', at);
}
