import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Brand } from '../../shared/brand.ts';
import { brandDir, type OutputFile } from '../output-files.ts';
import type { Tokens } from './tokens.ts';

/** The part of a maskable icon that every system shows. */
const SAFE = 0.8;

export async function iconFiles(brand: Brand, tokens: Tokens): Promise<OutputFile[]> {
  const svg = tokens.inDrawing(await readFile(join(brandDir, 'icon.svg'), 'utf8'));
  const background = tokens.colour(brand.iconBackground);
  const png = (size: number) => drawIcon(svg, size);
  const filled = async (size: number, share: number) => {
    const input = await drawIcon(svg, Math.round(size * share));
    return sharp({ create: { width: size, height: size, channels: 3, background } })
      .composite([{ input }])
      .png()
      .toBuffer();
  };
  const sizes = [192, 512];
  const icons = [
    ...sizes.map(size => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' })),
    { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ];
  const webManifest = {
    name: brand.name ?? undefined,
    start_url: '/',
    display: 'browser',
    background_color: tokens.colour('surface'),
    theme_color: tokens.colour(brand.bar),
    icons,
  };
  const contents: Record<string, Uint8Array> = {
    'favicon.svg': Buffer.from(svg),
    'favicon.ico': inIco(await png(32), 32),
    'apple-touch-icon.png': await filled(180, 1),
    ...Object.fromEntries(await Promise.all(sizes.map(async size => [`icon-${size}.png`, await png(size)]))),
    'icon-maskable.png': await filled(512, SAFE),
    'manifest.webmanifest': Buffer.from(JSON.stringify(webManifest)),
  };
  return Object.entries(contents).map(([name, bytes]) => ({
    path: `client/static/${name}`,
    contents: bytes,
  }));
}

async function drawIcon(svg: string, size: number): Promise<Buffer> {
  const { width } = await sharp(Buffer.from(svg)).metadata();
  return sharp(Buffer.from(svg), { density: (72 * size) / width })
    .resize(size, size)
    .png()
    .toBuffer();
}

/** Puts a PNG file into an ICO file: a header, and an entry of 16 bytes. */
function inIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
