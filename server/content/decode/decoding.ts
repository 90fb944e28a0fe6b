import type { PictureSize } from '../../media/picture-sizes.ts';
import { type AnswerTexts, createAnswerTexts } from '../rich-text/answer-texts.ts';
import type { CompiledText, TextToCompile } from '../rich-text/compile-task.ts';
import type { UnsizedPicture } from '../rich-text/read-rich-text.ts';
import { atEntry, type ContentProblem, type DecodeContext } from './decode-context.ts';
import { measurePictures } from './measure-pictures.ts';

/** The decoding of the answers of one request, with its own findings. */
export interface Decoding {
  /**
   * Decodes the answers. The decoder runs until all rich texts that it asks for are compiled, so it must not keep anything from one run to the
   * next. Only the findings of the last run count.
   */
  decode<T>(decoder: (context: DecodeContext) => T | Promise<T>): Promise<T>;
  /** Notes the media that the decoded content names. @param json the content as JSON, or a piece of it. */
  noteMedia(json: string): void;
  /** Reports a problem that the decoder could not know. */
  report(problem: ContentProblem): void;
  /**
   * Adds the sizes of the pictures found. Called when the answers are decoded.
   *
   * @returns whether the value is provisional, so that the same answers are decoded again at the next renewal: a picture could not be
   *   measured, or a text could not be compiled now.
   */
  measure(): Promise<{ isProvisional: boolean }>;
  /** Reports the problems found. Called when the content is complete, or cannot be decoded. */
  finish(): void;
}

/** Begins the decoding of a request's answers. */
export type BeginDecoding = (key: string) => Decoding;

export interface DecodingServices extends Pick<DecodeContext, 'mediaAddress'> {
  /** Absent in tests, where no file has a version. */
  withVersion?: DecodeContext['withVersion'];
  /** Notes the media that decoded content names. Absent in tests. @param json the content as JSON, or a piece of it. */
  noteMedia?(json: string): void;
  /** Compiles rich text in another thread: `createCompilePool`. */
  compileText(text: TextToCompile): Promise<CompiledText>;
  /** The options of the media policy, for the thread that compiles rich text. */
  media: TextToCompile['media'];
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
export function createDecodings(services: DecodingServices): BeginDecoding {
  const { compileText, media, mediaAddress, sizeOf, onProblems } = services;
  const { withVersion = address => address } = services;
  return key => {
    const texts: AnswerTexts = createAnswerTexts(compileText, media);
    let problems: ContentProblem[] = [];
    let pictures: UnsizedPicture[] = [];
    const context = atEntry({
      mediaAddress,
      withVersion,
      richText: texts.get,
      at: { type: key, id: null, field: null, updatedAt: null },
      unsized: picture => void pictures.push(picture),
      report: problem => void problems.push(problem),
    });
    return {
      async decode(decoder) {
        for (;;) {
          problems = [];
          pictures = [];
          const decoded = await decoder(context);
          if (!texts.areMissing) return decoded;
          await texts.compileMissing();
        }
      },
      noteMedia: json => services.noteMedia?.(json),
      report: context.report,
      async measure() {
        const isUnmeasured = sizeOf ? await measurePictures(pictures, sizeOf) : false;
        return { isProvisional: isUnmeasured || texts.isProvisional };
      },
      finish: () => onProblems(key, problems),
    };
  };
}
