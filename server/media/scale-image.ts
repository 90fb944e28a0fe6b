import type Sharp from 'sharp';
import type { Metadata } from 'sharp';
import type { RenditionFormat } from '../../shared/content/image.ts';
import { ImageRefusedError } from './image-refused-error.ts';
import { MAX_INPUT_PIXELS, MAX_INPUT_SIDE } from './is-scaled.ts';

/** The formats that are decoded. The bytes of a picture decide its format, not its name or its type. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map(name => `VipsForeignLoad${name}`);

/**
 * @param picture the bytes of a picture.
 * @param width in pixels. A narrower picture keeps its width.
 * @throws ImageRefusedError
 */
export type ScaleImage = (picture: Buffer, width: number, format: RenditionFormat) => Promise<Buffer>;

/**
 * Loads sharp, which is native code outside the bundle. Only the scaling process does (`scaling-process.ts`): the memory that libvips takes
 * for a picture has no bound of its own.
 *
 * @throws when sharp has no binary for this machine.
 */
export async function loadScaler(): Promise<ScaleImage> {
  const { default: sharp } = await import('sharp');
  // One thread for each picture and no cache, because the machine also serves pages.
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return async (picture, width, format) => {
    await checkImage(sharp, picture);
    const image = sharp(picture, {
      failOn: 'error',
      limitInputPixels: MAX_INPUT_PIXELS,
      sequentialRead: true,
    })
      .autoOrient()
      .resize({ width, withoutEnlargement: true });
    const encoded =
      format === 'avif' ? image.avif({ quality: 55, effort: 2 }) : image.webp({ quality: 78, effort: 4 });
    try {
      return await encoded.toBuffer();
    } catch (error) {
      throw new ImageRefusedError(422, 'This picture is broken.', { cause: error });
    }
  };
}

/** Checks the head of a picture before it is decoded, because a small file may decode to any number of pixels. */
async function checkImage(sharp: typeof Sharp, picture: Buffer): Promise<void> {
  const { width, height, pages } = await readMetadata(sharp, picture);
  if ((pages ?? 1) > 1) throw new ImageRefusedError(415, 'Animated pictures are not scaled.');
  if (width * height > MAX_INPUT_PIXELS)
    throw new ImageRefusedError(413, `Pictures of more than ${MAX_INPUT_PIXELS} pixels are not scaled.`);
  if (Math.max(width, height) > MAX_INPUT_SIDE)
    throw new ImageRefusedError(413, `Pictures with a side over ${MAX_INPUT_SIDE} pixels are not scaled.`);
}

async function readMetadata(sharp: typeof Sharp, picture: Buffer): Promise<Metadata> {
  try {
    return await sharp(picture, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw new ImageRefusedError(415, 'This is no picture that can be scaled (JPEG, PNG, WebP, AVIF, GIF).', {
      cause: error,
    });
  }
}
