import * as z from 'zod';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { RecordCodec } from '../../cache/disk/disk-tier.ts';
import { mapSteps, type Steps } from '../../ops/slices.ts';

/** The version of records. A change discards all earlier records on disk and in the shared store. */
export const CONTENT_FORMAT = '3';

/** The texts of the backend's answers in the order of the calls. Each build decodes them. */
export interface ContentRecord {
  readonly generatedAt: number;
  readonly answers: readonly string[];
  readonly empty?: { readonly call: string; readonly status: number } | undefined;
  /** Whether the content was invalidated during its load, and is stale from the start. */
  readonly invalidated?: boolean | undefined;
}

export function answersOf({ answers }: ContentRecord): Steps<readonly JsonAnswer[]> {
  return mapSteps(answers, text => ({ text, body: JSON.parse(text) as unknown }));
}

const recordSchema = z.object({
  generatedAt: z.number(),
  answers: z.array(z.string()).min(1),
  empty: z.object({ call: z.string(), status: z.number() }).optional(),
  invalidated: z.boolean().optional(),
});

export const contentRecordCodec: RecordCodec<ContentRecord> = {
  encode: record => Buffer.from(JSON.stringify(record)),
  decode: bytes => recordSchema.parse(JSON.parse(bytes.toString('utf8'))),
};
