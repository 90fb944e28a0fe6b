import type { FieldDescription } from '../../../shared/content/descriptions.ts';
import { createSlugSpellings } from '../../addresses/slug-spellings.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { checkAbsentFields } from '../../decode/check-absent-fields.ts';
import { type DecodeRow, rowSteps } from '../../decode/decode-fields.ts';
import { createDecodings, type DecodingServices } from '../../decode/decoding.ts';
import { inSlices } from '../../ops/slices.ts';
import { rowsIn } from '../../wire/content-calls.ts';
import type { DecodeContext } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { createLastChanges } from '../changes/last-changes.ts';
import { reportClashes } from '../slugs/address-clashes.ts';
import type { QueryForm } from './content-query.ts';
import { MissingFields } from './missing-fields.ts';
import { remedyForUnknown } from './panel-fields.ts';

export type AnswerReader = ReturnType<typeof createAnswerReader>;

export function createAnswerReader(services: DecodingServices) {
  const missing = new MissingFields(
    ({ type, field, cost }) => {
      // Report nothing if the field is JSON in place of a component: the site can read both.
      if (cost === null) return;
      const remedy = remedyForUnknown(type, field);
      services.onProblems(`${type}.${field}`, [
        {
          kind: 'field-absent',
          ...{ type, id: null, field, updatedAt: null },
          reason: `the backend does not know '${field}' and is asked without it: ${cost}${remedy === null ? '' : `. ${remedy}`}`,
        },
      ]);
    },
    ({ type, field }) => services.onProblems(`${type}.${field}`, []),
  );

  const spellings = createSlugSpellings();

  function report(type: ServedType, form: QueryForm, body: unknown, context: DecodeContext): void {
    const isAsked = (name: string, field: FieldDescription) =>
      (form === 'full' || field.inLists !== undefined) && !missing.has(type.path, name);
    checkAbsentFields(type, body, isAsked, context);
  }

  return {
    missing,
    lastChanges: createLastChanges(missing),
    spellings,
    begin: createDecodings(services),
    onProblems: services.onProblems,
    report,
    /** Decodes rows in slices. @throws BackendError `malformed` for a response without a list. */
    async decodeList<T>(
      type: ServedType,
      form: QueryForm,
      answers: readonly JsonAnswer[],
      decodeRow: DecodeRow<T>,
      context: DecodeContext,
    ): Promise<T[]> {
      const bodies = answers.map(({ body }) => body);
      await inSlices(reportClashes(type, bodies, context));
      const rows: T[][] = [];
      for (const body of bodies) {
        report(type, form, body, context);
        spellings.learn(type.path, body);
        const decoded = await inSlices(rowSteps(type.path, rowsIn(type, body), decodeRow, context));
        rows.push(decoded);
      }
      return rows.flat();
    },
  };
}
