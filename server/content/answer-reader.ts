import type { FieldDescription } from '../../shared/content/content-types.ts';
import type { JsonAnswer } from '../backend/backend-client.ts';
import { malformed } from './content-calls.ts';
import type { QueryForm } from './content-query.ts';
import { type DecodeContext, type DecodeRow, decodeRows } from './decode/decode-fields.ts';
import { measurePictures } from './decode/measure-pictures.ts';
import { reportProblems } from './decode/report-problems.ts';
import type { ServedType } from './described-types.ts';
import { createMissingFields, type MissingFields } from './missing-fields.ts';

/** The steps that all requests for content share: asking without missing fields, reporting problems, measuring pictures. */
export interface AnswerReader {
  readonly context: DecodeContext;
  readonly missing: MissingFields;
  /** Reports problems that the decoders do not see, such as a relation that is absent in every row. */
  report(type: ServedType, form: QueryForm, body: unknown): void;
  /**
   * Adds the sizes of the pictures in rich text that has just been decoded. Call it with the decoded value directly, without an `await` in
   * between: `drainUnsized` would otherwise also return pictures of other answers.
   */
  withPictureSizes<T>(decoded: T): Promise<T>;
  /** @throws BackendError `malformed` for an answer that holds no list. */
  decodeList<T>(
    type: ServedType,
    form: QueryForm,
    answers: readonly JsonAnswer[],
    decodeRow: DecodeRow<T>,
  ): Promise<T[]>;
}

/** @returns the steps, decoding with one context. */
export function createAnswerReader(context: DecodeContext): AnswerReader {
  const missing = createMissingFields(({ type, field, cost }) =>
    context.report({
      kind: 'field-absent',
      type,
      id: null,
      reason: `the backend does not know '${field}' and is asked without it: ${cost}`,
    }),
  );

  async function withPictureSizes<T>(decoded: T): Promise<T> {
    const pictures = context.richText.drainUnsized();
    if (context.sizeOf) await measurePictures(pictures, context.sizeOf);
    return decoded;
  }

  function report(type: ServedType, form: QueryForm, body: unknown): void {
    const isAsked = (name: string, field: FieldDescription) =>
      (form === 'full' || field.inLists === true) && !missing.has(type.path, name);
    reportProblems(type, body, isAsked, context);
  }

  return {
    context,
    missing,
    report,
    withPictureSizes,
    async decodeList<T>(
      type: ServedType,
      form: QueryForm,
      answers: readonly JsonAnswer[],
      decodeRow: DecodeRow<T>,
    ): Promise<T[]> {
      const items: T[] = [];
      for (const { body } of answers) {
        report(type, form, body);
        const rows = await withPictureSizes(decodeRows(type.path, body, decodeRow, context));
        if (!rows) throw malformed(type, 'the answer holds no list');
        items.push(...rows);
      }
      return items;
    },
  };
}
