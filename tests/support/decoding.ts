import { expect } from 'vitest';
import { createMediaPolicy } from '../../server/addresses/safe-address.ts';
import { type DecodeRow, rowSteps } from '../../server/decode/decode-fields.ts';
import type { DecodingServices } from '../../server/decode/decoding.ts';
import { atOnce } from '../../server/ops/slices.ts';
import type { CompiledText, TextToCompile } from '../../server/rich-text/compiling/compile-task.ts';
import compileTask from '../../server/rich-text/compiling/compile-worker.ts';
import { compileRichText } from '../../server/rich-text/compiling/rich-text-compiler.ts';
import { taskClockMemory } from '../../server/rich-text/compiling/watch-task.ts';
import { UNBOUNDED } from '../../server/wire/cut-nodes.ts';
import { type ContentProblem, type DecodeContext, MAX_ITEMS } from '../../server/wire/decode-context.ts';
import { unwrap } from '../../server/wire/wire.ts';
import type { CaptureSet } from './fake-backend.ts';

export const CAPTURE_SETS: readonly CaptureSet[] = ['v4', 'v5-as-v4', 'v5-flat'];

/** A problem as tests compare it. */
export type FoundProblem = Omit<ContentProblem, 'updatedAt'>;

export interface Decoding {
  /** The services that a content API needs to decode as `context` does. */
  services: DecodingServices;
  context: DecodeContext;
  /** Problems reported so far. */
  problems: FoundProblem[];
}

/** Compiles a text in this thread, without the limits of a pool. */
export async function compileHere(text: TextToCompile): Promise<CompiledText> {
  const clock = taskClockMemory();
  const { json, ...compiled } = compileTask({ ...text, plainBlocks: [], plainFrom: Infinity, clock });
  return { ...compiled, tree: JSON.parse(json) };
}

/** The real media policy and the real compiler, for a backend at `https://cms.example`. */
export function startDecoding(): Decoding {
  const problems: FoundProblem[] = [];
  const report = ({ updatedAt: _, ...problem }: ContentProblem) => void problems.push(problem);
  const media = { contentBaseUrl: 'https://cms.example', mediaOrigins: ['https://media.example'] };
  const policy = createMediaPolicy(media);
  const services: DecodingServices = {
    mediaAddress: policy.mediaAddress,
    compileText: compileHere,
    media,
    onProblems: (_source, found) => found.forEach(report),
  };
  const context: DecodeContext = {
    mediaAddress: policy.mediaAddress,
    withVersion: address => address,
    richText: (source, lose) => compileRichText(source, { media: policy, lose }).tree,
    unsized: () => {},
    isShown: () => true,
    at: { type: 'things', id: null, field: null, updatedAt: null },
    items: { left: MAX_ITEMS },
    texts: { left: UNBOUNDED },
    report,
  };
  return { services, context, problems };
}

/** @returns the rows of an answer that can be decoded; null for an answer that is no list. */
export function decodeRows<T>(
  type: string,
  body: unknown,
  decodeRow: DecodeRow<T>,
  context: DecodeContext,
): readonly T[] | null {
  const rows = unwrap(body);
  return Array.isArray(rows) ? atOnce(rowSteps(type, rows, decodeRow, context)) : null;
}

/** @returns the decoded row. A row that cannot be decoded fails the test. */
export function decoded<T>(decode: DecodeRow<T>, row: unknown, { context } = startDecoding()): T {
  const result = decode(row, context);
  if (!result.ok) expect.fail(`not decoded: ${result.error.reason}`);
  return result.value;
}

/** @returns the `data` of a recorded answer. */
export function dataOf(body: Record<string, unknown>): Record<string, unknown>[] {
  return body.data as Record<string, unknown>[];
}

/** @returns the fields of a recorded row, whatever its shape. */
export function fieldsOf(row: Record<string, unknown>): Record<string, unknown> {
  return (row.attributes as Record<string, unknown> | undefined) ?? row;
}

/**
 * @returns decoded content with placeholders for values that differ between recordings: ids, dates and hashes
 *   in upload names. Ids set by editors, such as `id: 'note'`, stay.
 */
export function comparable<T>(value: T): T {
  const text = JSON.stringify(value)
    .replace(/"id":"(?:\d+|[a-z0-9]{24})"/g, '"id":"ID"')
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"DATE"')
    .replace(/_[0-9a-f]{10}(?=\.\w+")/g, '');
  return JSON.parse(text);
}
