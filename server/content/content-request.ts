import { createHash } from 'node:crypto';
import type { JsonAnswer } from '../backend/backend-client.ts';
import { inSlices, type Steps } from '../ops/turns.ts';
import { malformed } from './content-calls.ts';
import { mediaTags, type Provenance } from './content-tags.ts';
import { copiedContent } from './copied-content.ts';
import type { ContentProblem, DecodeContext } from './decode/decode-context.ts';
import type { BeginDecoding } from './decode/decoding.ts';
import { decodeAddressable } from './decode/lost-addresses.ts';
import type { ServedType } from './described-types.ts';
import { countRows, withLastGoodRows } from './last-good-rows.ts';

/** Calls the backend once. The call is aborted together with the load that it belongs to. */
export type Ask = (call: string) => Promise<JsonAnswer>;

/** Reads other content through the cache, for a request whose calls depend on it. */
export type ReadContent = <T extends object | null>(request: ContentRequest<T>) => Promise<T>;

/** Content as pages read it. */
export interface DecodedContent<T extends object | null> extends Required<Provenance> {
  value: T;
  /** A digest of the value. Equal versions mean equal values, in this process and in any other, so results are memoised by it. */
  version: string;
  /** The value's size as JSON in bytes. */
  bytes: number;
  /**
   * Whether the same answers may give another value later, because the size of a picture could not be fetched, or because the last good
   * row stands in for a broken one.
   */
  isProvisional: boolean;
  /** Whether the value is null because the only row of the answers lacks its id or a required field. The entry is not gone. */
  isBroken: boolean;
  /** How many rows the answers hold. */
  rows: number;
  /** The answers from which the value was decoded: with the last good rows in the place of broken ones. */
  answers: readonly JsonAnswer[];
}

export type LastGoodAnswers = () => Promise<readonly JsonAnswer[] | null>;

/**
 * One piece of content: the calls that fetch it, and the decoding of their answers. Fetching and decoding are separate because the
 * disk and the shared tier store the answers, which another build may decode in another way.
 */
export interface ContentRequest<T extends object | null> {
  /** The key in the cache, such as `articles/how-to-pay`. */
  readonly key: string;
  /** The type of the rows in the answers. */
  readonly type: ServedType;
  /**
   * Whether readers get a stale value at once while a newer one is loaded. For content that decides about every page: all would wait for
   * the backend each time that it expires.
   */
  readonly isServedStale?: boolean;
  /** Whether the cache keeps the value as a text of JSON, and each reader gets a copy. For values that are plain JSON and read by few pages. */
  readonly isPacked?: boolean;
  /** Whether only a number is read from the answers: they may count rows that cannot be shown. */
  readonly isCount?: boolean;
  /** Whether readers ask for other rows from time to time, so that fewer rows than before are no loss. */
  readonly isChoice?: boolean;
  /** @returns when the content changes without an event, in ms since the epoch by the system's clock; null if it never does. */
  endsAt?(read: ReadContent): Promise<number | null>;
  /** @throws BackendError when a call has no usable answer. */
  fetch(ask: Ask, read: ReadContent): Promise<readonly JsonAnswer[]>;
  /**
   * @param lastGood returns earlier answers to the same calls, or null. Asked for only if a row lacks a required field.
   * @throws BackendError `malformed` when the answers hold no such content, or when none of several rows can be shown.
   */
  decode(answers: readonly JsonAnswer[], lastGood?: LastGoodAnswers): Promise<DecodedContent<T>>;
}

export interface ContentRequestOptions<P extends object | null, T extends object | null> {
  key: string;
  type: ServedType;
  isServedStale?: boolean;
  isPacked?: boolean;
  isCount?: boolean;
  fetch: ContentRequest<T>['fetch'];
  endsAt?: ContentRequest<T>['endsAt'];
  /** Begins a decoding. `contentRequest` finishes it. */
  begin: BeginDecoding;
  /** @returns the value as plain JSON. Maps, dates and everything else that JSON.stringify would lose are not allowed. */
  decode: (answers: readonly JsonAnswer[], context: DecodeContext) => P | Promise<P>;
  /** Adds indexes and tables for lookups to the value. */
  index: (plain: P) => T | Promise<T>;
  provenance: (plain: P) => Provenance | Promise<Provenance>;
}

/** @returns a request that adds version, size and provenance to its values. */
export function contentRequest<P extends object | null, T extends object | null>(
  options: ContentRequestOptions<P, T>,
): ContentRequest<T> {
  const { key, type, isServedStale = false, isPacked = false, isCount = false, fetch, endsAt } = options;
  // Each entry in memory keeps its request, so the request has one function of its own.
  const decode: ContentRequest<T>['decode'] = (answers, lastGood) =>
    decodeContent(options, answers, lastGood);
  const request = { key, type, isServedStale, isPacked, isCount, fetch, decode };
  return endsAt ? { ...request, endsAt } : request;
}

type Decoder<P extends object | null> = Pick<
  ContentRequestOptions<P, object | null>,
  'key' | 'type' | 'begin' | 'decode'
>;

async function decodeContent<P extends object | null, T extends object | null>(
  options: ContentRequestOptions<P, T>,
  given: readonly JsonAnswer[],
  lastGood: LastGoodAnswers | undefined,
): Promise<DecodedContent<T>> {
  const { type, index, provenance } = options;
  const {
    plain: decoded,
    broken,
    answers,
    rows,
    hasKeptRows,
    decoding,
  } = await decodeRows(options, given, lastGood);
  const { isProvisional } = await decoding.measure();
  const { plain, version, bytes, files } = await inSlices(
    copiedContent<P>(decoded, decoding.noteMedia, field =>
      decoding.report({
        kind: 'value-left-out',
        ...{ type: type.path, id: null, field, updatedAt: null },
        reason: 'the value is nested too deeply and is left out',
      }),
    ),
  );
  decoding.finish();
  const { tags, parts = NO_PARTS, ...others } = await provenance(plain);
  return {
    value: await index(plain),
    version,
    bytes,
    isProvisional: isProvisional || hasKeptRows,
    isBroken: decoded === null && broken.length > 0,
    answers,
    rows,
    ...others,
    parts,
    tags: [...tags, ...mediaTags(files)],
  };
}

/** Decodes answers once, and collects the problems of rows that lack a required field. */
async function decodeOnce<P extends object | null>(
  { type, decode }: Decoder<P>,
  answers: readonly JsonAnswer[],
  context: DecodeContext,
) {
  const broken: ContentProblem[] = [];
  /** The ids of broken rows inside rows, such as the category of an article. */
  const brokenInside = new Set<string>();
  const report = (problem: ContentProblem) => {
    if (isBrokenRow(type, problem)) broken.push(problem);
    else if (problem.kind === 'row-left-out' && problem.id !== null) brokenInside.add(problem.id);
    context.report(problem);
  };
  const plain = await decodeAddressable(type, { ...context, report }, async inner => decode(answers, inner));
  return { plain, broken, brokenInside };
}

/** Decodes answers, and judges the problems of their rows. */
async function attempt<P extends object | null>(decoder: Decoder<P>, answers: readonly JsonAnswer[]) {
  const { key, type, begin } = decoder;
  const decoding = begin(key);
  try {
    const decoded = await decoding.decode(context => decodeOnce(decoder, answers, context));
    const { broken } = decoded;
    const rows = countRows(answers);
    // One row that lacks a field is an editor's slip. Several such rows, or a row without an id, are another kind of answer.
    const isSlip = rows === 1 && broken.every(({ id }) => id !== null);
    if (rows > 0 && broken.length >= rows && !isSlip)
      throw malformed(type, `none of ${rows} rows can be shown: ${broken[0]?.reason}`);
    return { ...decoded, answers, rows, decoding };
  } catch (error) {
    decoding.finish();
    throw error;
  }
}

/** Decodes answers. Last good rows stand in for broken ones. */
async function decodeRows<P extends object | null>(
  decoder: Decoder<P>,
  answers: readonly JsonAnswer[],
  lastGood: LastGoodAnswers | undefined,
) {
  const first = await attempt(decoder, answers);
  const own = new Set(first.broken.flatMap(({ id }) => id ?? []));
  const inside = first.brokenInside;
  // The record of a single type has no rows of which one may stand in.
  const mayMend = decoder.type.storage === 'collection' && own.size + inside.size > 0;
  const before = mayMend ? await lastGood?.() : null;
  const mended = before ? withLastGoodRows(answers, { own, inside }, before) : null;
  if (!mended) return { ...first, hasKeptRows: false };
  const second = await attempt(decoder, mended);
  const stillBroken = new Set(second.broken.map(({ id }) => id));
  for (const problem of first.broken) {
    if (stillBroken.has(problem.id)) continue;
    const reason = `${problem.reason}: the row is shown as it was before`;
    second.decoding.report({ ...problem, kind: 'row-kept', reason });
  }
  return { ...second, hasKeptRows: true };
}

const NO_PARTS: ReadonlyMap<string, string> = new Map();

/** @returns whether a problem is a row of the type itself that lacks its id or a required field. */
function isBrokenRow({ path, fields, needsOneOf }: ServedType, problem: ContentProblem): boolean {
  const { kind, type, field } = problem;
  if (kind !== 'row-left-out' || type !== path) return false;
  return field === null || fields[field]?.required === true || needsOneOf?.includes(field) === true;
}

/** The version of content that does not exist. */
export const ABSENT_VERSION = digestOf('null');

/** Computes a digest of the answers, one in each step. Answers with an equal digest need not be decoded again. */
export function* answersDigest(answers: readonly JsonAnswer[]): Steps<string> {
  const hash = createHash('sha256');
  for (const { text } of answers) {
    hash.update(text).update('\0');
    yield;
  }
  return hash.digest('base64url');
}

/** @returns 22 characters in base64url: the first 132 bits of the text's SHA-256. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
