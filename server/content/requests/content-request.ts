import { createHash } from 'node:crypto';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { BeginDecoding } from '../../decode/decoding.ts';
import type { ShownDates } from '../../decode/shown-dates.ts';
import { inSlices, type Steps } from '../../ops/slices.ts';
import { malformed } from '../../wire/content-calls.ts';
import type { ContentProblem, DecodeContext } from '../../wire/decode-context.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { copiedContent } from '../store/copied-content.ts';
import { countRows, withLastGoodRows } from '../store/last-good-rows.ts';
import { mediaTags } from '../tags/media-tags.ts';
import type { Provenance } from '../tags/provenance.ts';

/** Calls the backend once. The call aborts when the load ends. */
export type Ask = (call: string) => Promise<JsonAnswer>;

/** Reads other content through the cache, for a request whose calls depend on it. */
export type ReadContent = <T extends object | null>(request: ContentRequest<T>) => Promise<T>;

export interface DecodedContent<T extends object | null> extends Required<Provenance> {
  value: T;
  /** A digest of the value, equal in every process. Results are memoised by it. */
  version: string;
  bytes: number;
  /**
   * Whether equal responses may give another value later: a picture has no size yet, or a row is broken.
   */
  isProvisional: boolean;
  /** Whether the value is null because the only row is broken, not because the entry is gone. */
  isBroken: boolean;
  dates: ShownDates;
  rows: number;
  /** The responses, with the last good rows in place of broken ones. */
  answers: readonly JsonAnswer[];
}

type LastGoodAnswers = () => Promise<readonly JsonAnswer[] | null>;

/** Fetches and decodes content in separate steps, because each new build decodes stored responses again. */
export interface ContentRequest<T extends object | null> {
  readonly key: string;
  readonly type: ServedType;
  /** Whether readers get a stale value during a reload, for content that every page reads. */
  readonly isServedStale?: boolean;
  /** Whether to store the value as JSON text and parse it for each reader, for rarely read content. */
  readonly isPacked?: boolean;
  /** Whether only a number is read. The number may include rows that cannot be shown. */
  readonly isCount?: boolean;
  /** Whether the request chooses other rows over time, so that fewer rows are no loss. */
  readonly isChoice?: boolean;
  /** @returns the time at which content changes by itself, in ms since the epoch; null for never. */
  readonly endsAt?: ((read: ReadContent) => Promise<number | null>) | undefined;
  fetch(ask: Ask, read: ReadContent): Promise<readonly JsonAnswer[]>;
  /**
   * @param lastGood earlier rows for broken ones. @throws BackendError `malformed` if no row is usable.
   */
  decode(answers: readonly JsonAnswer[], lastGood?: LastGoodAnswers): Promise<DecodedContent<T>>;
}

interface ContentRequestOptions<P extends object | null, T extends object | null>
  extends Omit<ContentRequest<T>, 'decode'> {
  begin: BeginDecoding;
  /** @returns plain JSON, without maps, dates or other values that JSON.stringify loses. */
  decode: (answers: readonly JsonAnswer[], context: DecodeContext) => P | Promise<P>;
  index: (plain: P) => T | Promise<T>;
  provenance: (plain: P) => Provenance | Promise<Provenance>;
}

export function contentRequest<T extends object | null>(
  options: Omit<ContentRequestOptions<T, T>, 'index'>,
): ContentRequest<T> {
  return indexedRequest({ ...options, index: plain => plain });
}

/** Makes a request whose value is not plain JSON. `index` makes the value from the JSON. */
export function indexedRequest<P extends object | null, T extends object | null>(
  options: ContentRequestOptions<P, T>,
): ContentRequest<T> {
  return { ...options, decode: (answers, lastGood) => decodeContent(options, answers, lastGood) };
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
  const { plain, version, bytes, files, links } = await inSlices(
    copiedContent<P>(decoded, decoding.noteMedia, field =>
      decoding.report({
        kind: 'value-left-out',
        ...{ type: type.path, id: null, field, updatedAt: null },
        reason: 'the value is nested too deeply and is left out',
      }),
    ),
  );
  decoding.finish();
  const { tags, about = null, parts = NO_PARTS, ...others } = await provenance(plain);
  return {
    value: await index(plain),
    version,
    bytes,
    isProvisional: isProvisional || hasKeptRows,
    isBroken: decoded === null && broken.length > 0,
    dates: decoding.dates(),
    answers,
    rows,
    ...others,
    about,
    parts,
    tags: [...tags, ...mediaTags(files), ...links],
  };
}

async function attempt<P extends object | null>(decoder: Decoder<P>, answers: readonly JsonAnswer[]) {
  const { key, type, begin, decode } = decoder;
  const decoding = begin(key);
  try {
    const decoded = await decoding.decode(async context => {
      const broken: ContentProblem[] = [];
      /** Broken rows inside other rows, such as the category of an article. */
      const brokenInside = new Set<string>();
      const report = (problem: ContentProblem) => {
        if (isBrokenRow(type, problem)) broken.push(problem);
        else if (problem.kind === 'row-left-out' && problem.id !== null) brokenInside.add(problem.id);
        context.report(problem);
      };
      return { plain: await decode(answers, { ...context, report }), broken, brokenInside };
    });
    const { broken } = decoded;
    const rows = countRows(answers);
    // A single broken row is an editor's mistake. If several rows are all broken, or a row has no id, the
    // response is wrong.
    const isSlip = rows === 1 && broken.every(({ id }) => id !== null);
    if (rows > 0 && broken.length >= rows && !isSlip)
      throw malformed(type, `none of ${rows} rows can be shown: ${broken[0]?.reason}`);
    return { ...decoded, answers, rows, decoding };
  } catch (error) {
    decoding.finish();
    throw error;
  }
}

async function decodeRows<P extends object | null>(
  decoder: Decoder<P>,
  answers: readonly JsonAnswer[],
  lastGood: LastGoodAnswers | undefined,
) {
  const first = await attempt(decoder, answers);
  const own = new Set(first.broken.flatMap(({ id }) => id ?? []));
  const inside = first.brokenInside;
  // Mend collections only: a single type is one row, so no other rows are left to show.
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

function isBrokenRow({ path, fields, needsOneOf }: ServedType, problem: ContentProblem): boolean {
  const { kind, type, field } = problem;
  if (kind !== 'row-left-out' || type !== path) return false;
  return field === null || fields[field]?.required === true || needsOneOf?.includes(field) === true;
}

export const ABSENT_VERSION = digestOf('null');

/** Computes a digest, one response in each step. Responses with an equal digest need no decoding. */
export function* answersDigest(answers: readonly JsonAnswer[]): Steps<string> {
  const hash = createHash('sha256');
  for (const { text } of answers) {
    hash.update(text).update('\0');
    yield;
  }
  return hash.digest('base64url');
}

/** @returns 22 characters of base64url: 132 bits of the text's SHA-256. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
