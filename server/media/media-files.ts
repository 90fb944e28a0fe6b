import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import * as z from 'zod';
import type { Palette } from '../../shared/payload/build-manifest.ts';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import type { Encoding } from '../http/request/accept-encoding.ts';
import type { ServedFile } from '../http/send-file.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { bytesOf, type CheckedFile, CheckedFiles, type FilesOptions, servedFile } from './checked-files.ts';

const metaSchema = z.object({
  type: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** For a compressed or coloured copy: the original's ETag, and the palette's version for colours. */
  source: z.string().optional(),
});
type Meta = z.infer<typeof metaSchema>;

export type StoredMedia = CheckedFile<Meta>;

export interface MediaFilesOptions extends FilesOptions {
  palette: Palette;
}

const MAX_PLAIN = 1_000;

/** Media files by path, each with its compressed and coloured copies. */
export class MediaFiles extends CheckedFiles<Meta> {
  readonly #health: DiskHealth;
  readonly #palette: Palette;
  readonly #paletteVersion: string;
  readonly #flights = new SingleFlight();
  /** The ETags of drawings (SVG) without the brand's design tokens. */
  readonly #plain = boundedMap<true>(MAX_PLAIN);

  constructor({ palette, ...options }: MediaFilesOptions) {
    super({ ...options, schema: metaSchema, declaredType: ({ type }) => type, durable: true });
    this.#health = options.health;
    this.#palette = palette;
    this.#paletteVersion = createHash('sha256')
      .update(JSON.stringify(palette))
      .digest('base64url')
      .slice(0, 12);
  }

  async removeAll(mediaPath: string): Promise<void> {
    const made = [...ENCODINGS, IN_PALETTE, INKED].map(kind => keyOf(kind, mediaPath));
    await this.remove([mediaPath, ...made], mediaPath);
  }

  /** @returns an SVG with the brand's colours for its design tokens (decision 213); other files unchanged. */
  async coloured(mediaPath: string, file: ServedFile): Promise<ServedFile> {
    if (file.type !== SVG || this.#plain.has(file.etag)) return file;
    const source = `${file.etag} ${this.#paletteVersion}`;
    const made = await this.#made(IN_PALETTE, mediaPath, source, file, async () => {
      const svg =
        file.bodyBytes > MAX_BYTES ? null : inPalette((await bytesOf(file)).toString(), this.#palette);
      return svg === null ? null : Buffer.from(svg);
    });
    if (made === null && this.#health.state.isWritable) this.#plain.set(file.etag, true);
    return made ?? file;
  }

  /** @returns a drawing with colours in place of design tokens, for programs without CSS variables. */
  async inked(mediaPath: string, file: ServedFile): Promise<ServedFile> {
    if (file.type !== SVG) return file;
    const source = `${file.etag} ${this.#paletteVersion}`;
    const made = await this.#made(INKED, mediaPath, source, file, async () => {
      const svg = (await bytesOf(file)).toString();
      return Buffer.from(inkedDrawing(svg, this.#palette));
    });
    return made ?? file;
  }

  /** Compresses a stored file once for an encoding. Returns the file if it cannot be compressed. */
  async encoded(mediaPath: string, file: ServedFile, encoding: Encoding): Promise<ServedFile> {
    if (encoding === 'identity') return file;
    const make = () => compressFile(file, encoding);
    const compressed = await this.#made(encoding, mediaPath, file.etag, file, make);
    return compressed ? { ...compressed, encoding } : file;
  }

  /** @returns null if `make` returns null, or the disk cannot be written. */
  async #made(
    kind: string,
    mediaPath: string,
    source: string,
    { type }: ServedFile,
    make: () => Promise<Buffer | null>,
  ): Promise<ServedFile | null> {
    if (!this.#health.state.isWritable) return null;
    const key = keyOf(kind, mediaPath);
    const stored = await this.read(key);
    if (stored?.entry.meta.source === source) return { ...servedFile(stored), type };
    const work = async () => {
      const bytes = await make();
      const meta = { type, etag: null, lastModified: null, source };
      return bytes && this.write(key, bytes, bytes, () => meta);
    };
    const made = await this.#flights.run(`${source} ${key}`, work).catch(() => null);
    return made && { ...servedFile(made), type };
  }
}

const ENCODINGS: readonly StoredEncoding[] = ['br', 'gzip'];
const [IN_PALETTE, INKED] = ['palette', 'inked'];
const SVG = 'image/svg+xml';

function keyOf(kind: string, mediaPath: string): string {
  return `${kind} ${mediaPath}`;
}

type StoredEncoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Only files between these sizes are compressed: smaller ones fit into one packet, larger ones are rare. */
const MIN_BYTES = 512;
const MAX_BYTES = 4 * 1024 * 1024;
/** The Brotli level. The highest level takes ten times as long and saves 3 %. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;

/** @returns null for a file that is too small, too large, or would not become smaller. */
async function compressFile(file: ServedFile, encoding: StoredEncoding): Promise<Buffer | null> {
  const { bodyBytes } = file;
  if (bodyBytes < MIN_BYTES || bodyBytes > MAX_BYTES) return null;
  const body = await bytesOf(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const packed = await (encoding === 'br' ? brotli(body, { params }) : gzipped(body, { level: GZIP_LEVEL }));
  return packed.byteLength < bodyBytes ? packed : null;
}

/** A design token in a drawing, perhaps with a fallback colour. */
const TOKEN = /var\(--([\w-]+)(?:,([^()]*))?\)/g;

/** @returns null for a drawing without tokens of the brand. */
function inPalette(svg: string, palette: Palette): string | null {
  const names = new Set(Array.from(svg.matchAll(TOKEN), ([, name = '']) => name));
  const used = [...names].flatMap(name => {
    const colours = Object.hasOwn(palette, name) ? palette[name] : undefined;
    return colours ? [[name, colours] as const] : [];
  });
  const root = svg.indexOf('<svg');
  const end = svg.indexOf('>', root);
  if (used.length === 0 || root < 0 || end < 0) return null;
  const rule = (scheme: 0 | 1) => `:root{${used.map(([name, of]) => `--${name}:${of[scheme]}`).join(';')}}`;
  const style = `<style>${rule(0)}@media(prefers-color-scheme:dark){${rule(1)}}</style>`;
  return svg.slice(0, end + 1) + style + svg.slice(end + 1);
}

function inkedDrawing(svg: string, palette: Palette): string {
  return svg.replaceAll(TOKEN, (_use, name: string, other = '') => palette[name]?.[0] ?? other.trim());
}
