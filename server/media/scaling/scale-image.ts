import type Sharp from 'sharp';
import type { Metadata, Sharp as Picture } from 'sharp';
import { type RenditionFormat, SHARE_PICTURE } from '../../../shared/content/image.ts';
import { LEAST_SHARED, MAX_INPUT_PIXELS, MAX_INPUT_SIDE } from '../../wire/is-scaled.ts';
import { CARD_DRAWING, CARD_LOGO, CardDrawer } from './draw-card.ts';
import { type CardPictures, ImageRefusedError, type ShareCard } from './scaling-messages.ts';

/** The decoders. The bytes of a picture decide its format, not its name or type. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Svg'].map(name => `VipsForeignLoad${name}`);
/** The qualities of a share picture. The first one that makes it small enough is used. */
const SHARE_QUALITIES = [82, 70, 55, 40, 20];

const NOT_SCALED = 'This is no picture that can be scaled (JPEG, PNG, WebP, AVIF, GIF).';

export type Scaling = Awaited<ReturnType<typeof loadScaler>>;

/**
 * Loads sharp. Call it only in the scaling process, because libvips has no memory limit. Each function of the
 * result throws ImageRefusedError.
 * @param cardDir the folder with fonts and pictures of share cards; null if no cards are drawn.
 */
export async function loadScaler(cardDir: string | null) {
  const { default: sharp } = await import('sharp');
  // Use one thread for each picture and no cache, because the machine also serves pages.
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const open = (picture: Buffer) =>
    sharp(picture, {
      failOn: 'error',
      limitInputPixels: MAX_INPUT_PIXELS,
      sequentialRead: true,
    }).autoOrient();
  const drawer = cardDir === null ? null : new CardDrawer(sharp, cardDir);

  return {
    async scale(picture: Buffer, width: number, format: RenditionFormat): Promise<Buffer> {
      const { pages = 1 } = await checkImage(sharp, picture);
      if (pages > 1) throw new ImageRefusedError(415, 'Animated pictures are not scaled.');
      const image = open(picture).resize({ width, withoutEnlargement: true });
      const encoded =
        format === 'avif' ? image.avif({ quality: 55, effort: 2 }) : image.webp({ quality: 78, effort: 4 });
      return decoding(encoded.toBuffer());
    },
    /** Crops a picture around its focal point, or its middle, to a JPEG of the size for shared links. */
    async cut(picture: Buffer, focus: string | null): Promise<Buffer> {
      // Use the first frame of an animated picture.
      const { autoOrient } = await checkImage(sharp, picture);
      if (autoOrient.width < LEAST_SHARED.width || autoOrient.height < LEAST_SHARED.height)
        throw new ImageRefusedError(422, 'Small pictures are not shown in shared links.');
      const { data, info } = await decoding(
        cutAt(open(picture), autoOrient, focus ?? '2-2')
          // Some programs would show a transparent picture on black.
          .flatten({ background: drawer?.surface ?? 'white' })
          .toColourspace('srgb')
          .raw()
          .toBuffer({ resolveWithObject: true }),
      );
      let file = data;
      for (const quality of SHARE_QUALITIES) {
        file = await sharp(data, { raw: info }).jpeg({ quality }).toBuffer();
        if (file.length <= SHARE_PICTURE.maxBytes) break;
      }
      return file;
    },
    /** Makes the logo of a card, as PNG. Only `logo` and `drawing` accept SVG. */
    async logo(picture: Buffer): Promise<Buffer> {
      const logo = await openShapes(sharp, picture, CARD_LOGO.height);
      const size = { ...CARD_LOGO, fit: 'inside', withoutEnlargement: true } as const;
      return decoding(logo.resize(size).png().toBuffer());
    },
    async drawing(picture: Buffer): Promise<Buffer> {
      const drawing = await openShapes(sharp, picture, CARD_DRAWING.height);
      return decoding(
        drawing
          .resize({ ...CARD_DRAWING, fit: 'cover' })
          .png()
          .toBuffer(),
      );
    },
    async draw(card: ShareCard, pictures: CardPictures): Promise<Buffer> {
      if (!drawer) throw new ImageRefusedError(422, 'This process draws no cards.');
      return drawer.draw(card, pictures);
    },
  };
}

/** Opens a picture that may be SVG. An SVG is rendered at the height at which it is shown. */
async function openShapes(sharp: typeof Sharp, picture: Buffer, shownHeight: number): Promise<Picture> {
  const { format, height } = await checkImage(sharp, picture, true);
  const density = format === 'svg' ? (72 * shownHeight) / height : 72;
  return sharp(picture, { limitInputPixels: MAX_INPUT_PIXELS, density: Math.max(1, density) });
}

/** Crops a picture to the share picture's size. The focal point works as `object-position` does. */
function cutAt(image: Picture, full: { width: number; height: number }, focus: string): Picture {
  const { width, height } = SHARE_PICTURE;
  const [x = 2, y = 2] = focus.split('-').map(Number);
  const scale = Math.max(width / full.width, height / full.height);
  const scaled = { width: Math.round(full.width * scale), height: Math.round(full.height * scale) };
  return image.resize({ ...scaled, fit: 'fill' }).extract({
    left: Math.round(((scaled.width - width) * x) / 4),
    top: Math.round(((scaled.height - height) * y) / 4),
    width,
    height,
  });
}

async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new ImageRefusedError(422, 'This picture is broken.', { cause: error });
  }
}

/** Checks the header first, because a small file may decode to any number of pixels. */
async function checkImage(sharp: typeof Sharp, picture: Buffer, mayBeShapes = false): Promise<Metadata> {
  const metadata = await readMetadata(sharp, picture);
  const { format, width, height } = metadata;
  if (format === 'svg' && !mayBeShapes) throw new ImageRefusedError(415, NOT_SCALED);
  if (width * height > MAX_INPUT_PIXELS)
    throw new ImageRefusedError(413, `Pictures of more than ${MAX_INPUT_PIXELS} pixels are not scaled.`);
  if (Math.max(width, height) > MAX_INPUT_SIDE)
    throw new ImageRefusedError(413, `Pictures with a side over ${MAX_INPUT_SIDE} pixels are not scaled.`);
  return metadata;
}

async function readMetadata(sharp: typeof Sharp, picture: Buffer): Promise<Metadata> {
  try {
    return await sharp(picture, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw new ImageRefusedError(415, NOT_SCALED, { cause: error });
  }
}
