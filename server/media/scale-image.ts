import type Sharp from 'sharp';
import type { RenditionFormat } from '../../shared/content/image.ts';
import { ImageRefusedError } from './image-refused-error.ts';
import { MAX_INPUT_PIXELS } from './is-scaled.ts';

/** A picture that takes longer than this is given up, in seconds. */
const TIMEOUT_S = 30;
/** What may be read. A picture is what its bytes say it is, whatever its name and its type claim. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map(name => `VipsForeignLoad${name}`);

/**
 * @param file path of a picture.
 * @param width pixels; a narrower picture keeps its own.
 * @throws ImageRefusedError
 */
export type ScaleImage = (file: string, width: number, format: RenditionFormat) => Promise<Buffer>;

/**
 * Loads sharp, which is native code and stands beside the bundle.
 *
 * @throws when there is none for this machine.
 */
export async function loadScaler(): Promise<ScaleImage> {
  const { default: sharp } = await import('sharp');
  // One thread for each picture, and nothing kept in between: the process has pages to serve.
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return async (file, width, format) => {
    await checkImage(sharp, file);
    const image = sharp(file, { failOn: 'error', limitInputPixels: MAX_INPUT_PIXELS, sequentialRead: true })
      .timeout({ seconds: TIMEOUT_S })
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

/** Reads the head of a file alone: a few bytes may claim a picture as large as a city. */
async function checkImage(sharp: typeof Sharp, file: string): Promise<void> {
  const head = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new ImageRefusedError(
        415,
        'This is no picture that can be scaled (JPEG, PNG, WebP, AVIF, GIF).',
        {
          cause: error,
        },
      );
    });
  if ((head.pages ?? 1) > 1) throw new ImageRefusedError(415, 'Animated pictures are not scaled.');
  if (head.width * head.height > MAX_INPUT_PIXELS) {
    throw new ImageRefusedError(413, `Pictures of more than ${MAX_INPUT_PIXELS} pixels are not scaled.`);
  }
}
