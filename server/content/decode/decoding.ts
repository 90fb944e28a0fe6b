import type { PictureSize } from '../../media/picture-sizes.ts';
import type { UnsizedPicture } from '../rich-text/read-rich-text.ts';
import type { ContentProblem, DecodeContext } from './decode-context.ts';
import { measurePictures } from './measure-pictures.ts';

/** The decoding of the answers of one request, with its own findings. */
export interface Decoding {
  readonly context: DecodeContext;
  /**
   * Adds the sizes of the pictures found and reports the problems found. Called when the answers are decoded, or cannot be.
   *
   * @returns whether the value is provisional: a picture could not be measured now, so the same answers are decoded again at the next renewal.
   */
  finish(): Promise<{ isProvisional: boolean }>;
}

/** Begins the decoding of a request's answers. */
export type BeginDecoding = (key: string) => Decoding;

export interface DecodingServices extends Pick<DecodeContext, 'mediaAddress' | 'richText'> {
  /** Looks up the size of a picture. Absent in tests. */
  sizeOf?: PictureSize;
  /**
   * Called with all problems of a source of problems. They replace the earlier ones of the same source.
   *
   * @param source the key of a request, or another name.
   */
  onProblems: (source: string, problems: readonly ContentProblem[]) => void;
}

/** @returns a function that begins decodings with the same services. */
export function createDecodings({ sizeOf, onProblems, ...services }: DecodingServices): BeginDecoding {
  return key => {
    const problems: ContentProblem[] = [];
    const pictures: UnsizedPicture[] = [];
    return {
      context: {
        ...services,
        at: { type: key, id: null, field: null, updatedAt: null },
        unsized: picture => void pictures.push(picture),
        report: problem => void problems.push(problem),
      },
      async finish() {
        onProblems(key, problems);
        return { isProvisional: sizeOf ? await measurePictures(pictures, sizeOf) : false };
      },
    };
  };
}
