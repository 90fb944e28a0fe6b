import * as z from 'zod';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { RecordCodec } from '../../cache/disk/disk-tier.ts';
import { mapSteps, type Steps } from '../../ops/slices.ts';

/** The version of records. A change discards all earlier records on disk and in the shared store. */
export const CONTENT_FORMAT = '3';

const recordSchema = z.object({
  generatedAt: z.number(),
  /** The texts of the backend's responses in the order of the calls. Each build decodes them. */
  answers: z.array(z.string()).min(1),
  empty: z.object({ call: z.string(), status: z.number() }).optional(),
  /** Whether the content was invalidated during its load, and is stale from the start. */
  invalidated: z.boolean().optional(),
});
export type ContentRecord = z.infer<typeof recordSchema>;

export function answersIn(texts: readonly string[]): Steps<readonly JsonAnswer[]> {
  return mapSteps(texts, text => ({ text, body: JSON.parse(text) as unknown }));
}

export const contentRecordCodec: RecordCodec<ContentRecord> = {
  encode: record => Buffer.from(JSON.stringify(record)),
  decode: bytes => recordSchema.parse(JSON.parse(bytes.toString('utf8'))),
};
