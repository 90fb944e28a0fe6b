import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { SingleFlight } from '../../cache/single-flight.ts';
import type { PictureSize } from '../../decode/decoding.ts';
import type { ServedFile } from '../../http/send-file.ts';
import { boundedMap } from '../../ops/bounded-map.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { type FileVersions, splitVersion } from '../file-versions.ts';
import { NotStorableError } from '../media-failures.ts';
import type { MediaStore } from '../media-store.ts';
import { type ImageSize, imageSize } from './image-size.ts';

/** The longest wait for a picture's size, in ms. A page can be rendered without the size. */
const SIZE_TIMEOUT_MS = 1_000;
/** The bytes searched for a size. A photograph may have other data before its size. */
const HEAD_BYTES = 256 * 1024;
const MAX_REMEMBERED = 5_000;

export function createPictureSize(
  media: MediaStore,
  versions: Pick<FileVersions, 'changedSince'>,
): PictureSize {
  const known = boundedMap<{ size: ImageSize; readAt: number }>(MAX_REMEMBERED);
  const flights = new SingleFlight();

  async function lookUp(src: string): ReturnType<PictureSize> {
    try {
      const readAt = steadyNow();
      const stored = await media.get(fileOf(src), AbortSignal.timeout(SIZE_TIMEOUT_MS));
      if (!stored || stored.isOutdated) return 'not now';
      const size = imageSize(await headOf(stored), stored.type);
      if (size) known.set(src, { size, readAt });
      return size;
    } catch (error) {
      // The media store logs the error. A picture that may not be stored will have no size later either.
      return error instanceof NotStorableError ? null : 'not now';
    }
  }

  return async src => {
    const { size, readAt } = known.get(src) ?? { size: null, readAt: 0 };
    if (size && !versions.changedSince(fileOf(src), readAt)) return size;
    return flights.run(src, () => lookUp(src));
  };
}

/** @returns the file's address without its version and fragment. A fragment selects a part of an SVG. */
export function fileOf(src: string): string {
  const { address } = splitVersion(src);
  return address.split('#', 1)[0] ?? address;
}

export async function headOf({ file, bodyBytes }: ServedFile): Promise<Buffer> {
  if (bodyBytes === 0) return Buffer.alloc(0);
  return buffer(createReadStream(file, { end: Math.min(HEAD_BYTES, bodyBytes) - 1 }));
}
