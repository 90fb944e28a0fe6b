import { type AnswerTexts, createAnswerTexts } from '../rich-text/compiling/answer-texts.ts';
import type { CompiledText, TextToCompile } from '../rich-text/compiling/compile-task.ts';
import { atEntry, type ContentProblem, type DecodeContext, inside } from '../wire/decode-context.ts';
import { earlierDates, NO_DATES, type ShownDates, shownBy } from './shown-dates.ts';
import type { PublicationClock } from './site-time.ts';

export type BeginDecoding = ReturnType<typeof createDecodings>;

export interface DecodingServices extends Pick<DecodeContext, 'mediaAddress' | 'noteField'> {
  /** Adds a file's version to its address. Tests leave it out. */
  withVersion?: DecodeContext['withVersion'];
  /** Collects media files in decoded content. Tests leave it out. @param json the content or a part of it. */
  noteMedia?(json: string): void;
  compileText(text: TextToCompile): Promise<CompiledText>;
  media: TextToCompile['media'];
  sizeOf?: PictureSize;
  /** The clock for dates of entries. Without it, entries are shown whatever their dates. */
  shownClock?: PublicationClock | null;
  /** Replaces the problems of a source. @param source the key of a request, or another name. */
  onProblems: (source: string, problems: readonly ContentProblem[]) => void;
}

/** @returns a function that begins to decode the responses to one request, and collects its findings. */
export function createDecodings(services: DecodingServices) {
  const { compileText, media, mediaAddress, sizeOf, onProblems } = services;
  const { withVersion = address => address, shownClock = null, noteField } = services;
  return (key: string) => {
    const texts: AnswerTexts = createAnswerTexts(compileText, media);
    let problems: ContentProblem[] = [];
    let pictures: Parameters<DecodeContext['unsized']>[] = [];
    let dates = NO_DATES;
    const context = atEntry({
      mediaAddress,
      withVersion,
      richText: texts.get,
      at: { type: key, id: null, field: null, updatedAt: null },
      unsized: (...picture) => void pictures.push(picture),
      report: problem => void problems.push(problem),
      isShown(values, at) {
        if (shownClock === null) return true;
        const shown = shownBy(values, shownClock, field => inside(at, field));
        dates = earlierDates(dates, shown.dates);
        return shown.isShown;
      },
      ...(noteField && { noteField }),
    });
    return {
      /** Repeats the decoder until its rich texts are compiled. Only findings of the last run count. */
      async decode<T>(decoder: (context: DecodeContext) => T | Promise<T>): Promise<T> {
        for (;;) {
          problems = [];
          pictures = [];
          dates = NO_DATES;
          const decoded = await decoder(context);
          if (!texts.areMissing) return decoded;
          await texts.compileMissing();
        }
      },
      noteMedia: (json: string) => services.noteMedia?.(json),
      report: context.report,
      /** Sets the size of each picture. `isProvisional`: a picture's size or a text is still missing. */
      async measure() {
        const isUnmeasured = sizeOf ? await measurePictures(pictures, sizeOf) : false;
        return { isProvisional: isUnmeasured || texts.isProvisional };
      },
      dates: (): ShownDates => dates,
      finish: () => onProblems(key, problems),
    };
  };
}

/** @returns the size; null if the file has none; `not now` if a later call may find it. */
export type PictureSize = (
  src: string,
) => Promise<{ readonly width: number; readonly height: number } | null | 'not now'>;

/** Adds sizes to pictures, so that the page does not shift. @returns whether a later call may find more. */
async function measurePictures(
  pictures: readonly Parameters<DecodeContext['unsized']>[],
  sizeOf: PictureSize,
): Promise<boolean> {
  const missing = await Promise.all(
    pictures.map(async ([picture, onUnread]) => {
      const size = await sizeOf(picture.src);
      if (size === null || size === 'not now') onUnread?.();
      if (size === 'not now') return true;
      if (size === null) return false;
      const ratio = size.width / size.height;
      const width = picture.width ?? (picture.height ? Math.round(picture.height * ratio) : size.width);
      picture.height ??= Math.max(1, Math.round(width / ratio));
      picture.width = width;
      return false;
    }),
  );
  return missing.includes(true);
}
