import { createBackendClient } from '../backend/backend-client.ts';
import type { Config } from '../config.ts';
import { entryOf, isObject, unwrap } from '../content/decode/wire.ts';
import { namedTypes } from '../content/described-types.ts';
import type { BackendError } from '../errors.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { createAsk } from './ask.ts';
import { checkAddress } from './check-address.ts';
import { checkConnections, checkSharedStore } from './check-connections.ts';
import { checkDrafts } from './check-drafts.ts';
import { checkEmail } from './check-email.ts';
import { checkFields } from './check-fields.ts';
import { checkMedia } from './check-media.ts';
import { checkPreview } from './check-preview.ts';
import { checkRedirects } from './check-redirects.ts';
import { checkSlugs } from './check-slugs.ts';
import { checkTypes } from './check-types.ts';
import { checkWebhook } from './check-webhook.ts';
import { type ExaminedType, examineType } from './examine-type.ts';
import type { Finding } from './finding.ts';

/** The result of an examination. */
export interface Report {
  /** In ISO 8601. */
  readonly examinedAt: string;
  readonly backend: string;
  /** The version of Strapi, as far as its answers tell; null for a backend without entries. */
  readonly strapi: 4 | 5 | null;
  /** Whether the backend has answered for at least one type. */
  readonly isReached: boolean;
  readonly calls: number;
  readonly ms: number;
  /** Errors first, and last what may stay. */
  readonly findings: readonly Finding[];
}

export interface ExamineOptions {
  readonly config: Config;
  readonly baseUrl: string;
  /** Whether the checks that post are made, too: the e-mail route and the webhook. */
  readonly posts: boolean;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Resolves when the next call may be made. */
  readonly pace?: () => Promise<void>;
}

/**
 * Examines the backend with the configuration of the site. Each fault has one finding: a check that another fault makes pointless is
 * left out.
 */
export async function examine(options: ExamineOptions): Promise<Report> {
  const { config, baseUrl, posts } = options;
  const startedAt = steadyNow();
  const { contentTimeoutMs: timeoutMs, contentToken: token, contentHeaders: headers } = config;
  const stranger = (address: string) =>
    createBackendClient({ baseUrl: address, token: null, headers: {}, timeoutMs });
  const client = createBackendClient({ baseUrl, token, headers, timeoutMs });
  const ask = createAsk({ ...options, client });
  const hasToken = token !== null;
  const previewer = config.preview
    ? createBackendClient({ baseUrl, token: config.preview.token, headers, timeoutMs })
    : null;

  const types = await examineTypes();
  const address = await checkAddressOf(types);
  const isReached = types.some(({ error }) => error === null);
  const findings = address ? [address] : await checkContent();
  findings.push(...checkConnections(config, baseUrl), ...checkSharedStore(config));
  if (posts) findings.push(...(await checkWebhook(config)));
  return {
    examinedAt: new Date().toISOString(),
    backend: baseUrl,
    strapi: versionOf(types),
    isReached,
    calls: ask.calls,
    ms: Math.round(steadyNow() - startedAt),
    findings: findings.sort((a, b) => weightOf(b) - weightOf(a)),
  };

  /** Asks for the first type alone: a backend that gives no answer is asked once. */
  async function examineTypes(): Promise<ExaminedType[]> {
    const [first, ...others] = namedTypes.map(type => () => examineType(ask, ...type));
    const opening = first ? [await first()] : [];
    if (opening.some(({ error }) => error && isSilence(error))) return opening;
    return [...opening, ...(await Promise.all(others.map(run => run())))];
  }

  function checkAddressOf(examined: readonly ExaminedType[]): Promise<Finding | null> | null {
    const [first, ...others] = examined.map(({ error }) => error);
    if (!first || others.some(error => error?.status !== first.status || error?.kind !== first.kind))
      return null;
    return checkAddress(first, { baseUrl, ask, clientOf: stranger });
  }

  async function checkContent(): Promise<Finding[]> {
    const refused = new Set(types.flatMap(({ type, error }) => (error ? [type.path] : [])));
    const readable = types.filter(({ error }) => error === null);
    const version = versionOf(types) ?? 5;
    // A token that is that of the preview as well has its own finding.
    const triesToken = hasToken && token !== config.preview?.token;
    const draftOptions = { ask, stranger: stranger(baseUrl), triesToken, version };
    const previewOptions = { config, baseUrl, ask, previewer, version, asksSite: posts };
    const found = await Promise.all([
      checkTypes(types, { ask, hasToken, previewer }),
      ...readable.map(type => checkFields(type, refused, hasToken)),
      ...readable.map(type => checkSlugs(type, ask)),
      checkRedirects(readable, { ask, config }),
      isReached ? checkDrafts(types, draftOptions) : [],
      isReached ? checkMedia(readable, { baseUrl, ask, config }) : [],
      isReached ? checkPreview({ ...previewOptions, types: readable }) : [],
      // A token that is not accepted at all is not accepted there either.
      posts && isReached ? checkEmail(ask) : [],
    ]);
    return found.flat();
  }
}

function weightOf({ severity, mayStay }: Finding): number {
  return severity === 'error' ? 2 : mayStay ? 0 : 1;
}

function isSilence({ kind }: BackendError): boolean {
  return kind === 'unreachable' || kind === 'timeout';
}

/** @returns 5 for entries with a `documentId`, 4 for entries without; null without entries. */
function versionOf(types: readonly ExaminedType[]): 4 | 5 | null {
  const rows = types.flatMap(({ body }) => {
    const bare = unwrap(body);
    return (Array.isArray(bare) ? bare : [bare]).filter(row => entryOf(row) !== null);
  });
  if (rows.length === 0) return null;
  return rows.some(row => isObject(row) && row.documentId !== undefined) ? 5 : 4;
}
