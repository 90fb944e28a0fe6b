import { type AnswerTexts, createAnswerTexts } from '../rich-text/compiling/answer-texts.ts';
import type { CompiledText, TextToCompile } from '../rich-text/compiling/compile-task.ts';
import type { UnsizedPicture } from '../wire/decode-context.ts';
import { atEntry, type ContentProblem, type DecodeContext } from '../wire/decode-context.ts';
import { measurePictures, type PictureSize } from './measure-pictures.ts';

/** The decoding of the answers of one request, with its findings. */
export interface Decoding {
  /** Runs the decoder until its rich texts are compiled. Only the findings of the last run count. */
  decode<T>(decoder: (context: DecodeContext) => T | Promise<T>): Promise<T>;
  /** @param json the decoded content, or a piece of it. */
  noteMedia(json: string): void;
  report(problem: ContentProblem): void;
  /** Adds the sizes of pictures. `isProvisional`: a picture or a text is missing now. */
  measure(): Promise<{ isProvisional: boolean }>;
  /** Reports the problems found, when the content is complete or cannot be decoded. */
  finish(): void;
}

export type BeginDecoding = (key: string) => Decoding;

export interface DecodingServices extends Pick<DecodeContext, 'mediaAddress'> {
  /** Absent in tests, where no file has a version. */
  withVersion?: DecodeContext['withVersion'];
  /** Absent in tests. @param json the decoded content, or a piece of it. */
  noteMedia?(json: string): void;
  /** Compiles rich text in another thread: `createCompilePool`. */
  compileText(text: TextToCompile): Promise<CompiledText>;
  /** The options of the media policy, for the thread that compiles rich text. */
  media: TextToCompile['media'];
  /** Absent in tests. */
  sizeOf?: PictureSize;
  /** Replaces earlier problems of the same source. @param source the key of a request, or another name. */
  onProblems: (source: string, problems: readonly ContentProblem[]) => void;
}

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
