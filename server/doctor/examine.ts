import { createBackendClient } from '../backend/backend-client.ts';
import type { Config } from '../config/config.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { namedTypes } from '../wire/described-types.ts';
import { entryOf, isObject, unwrap } from '../wire/wire.ts';
import { type Ask, type AskOptions, createAsk } from './ask.ts';
import { checkAccess } from './check-access.ts';
import { checkDrafts, checkPreviewToken } from './check-drafts.ts';
import { checkPictures, checkRedirects, checkSlugs } from './check-entries.ts';
import { checkFields } from './check-fields.ts';
import {
  checkAccent,
  checkConnections,
  checkEmail,
  checkLinks,
  checkMedia,
  checkPreviewFrame,
  checkPreviewOfSite,
  checkSharedStore,
  checkVariables,
  checkWebhook,
} from './check-site.ts';
import { type ExaminedType, examineType, withListing } from './examine-type.ts';
import { sortedFindings } from './finding.ts';

export type Report = Awaited<ReturnType<typeof examine>>;

interface ExamineOptions extends Omit<AskOptions, 'client'> {
  readonly config: Config;
  readonly baseUrl: string;
  readonly posts: boolean;
}

export async function examine(options: ExamineOptions) {
  const { config, baseUrl, posts } = options;
  const startedAt = steadyNow();
  const { contentTimeoutMs: timeoutMs, contentToken: token, contentHeaders: headers } = config;
  const clientOf = (address: string) =>
    createBackendClient({ baseUrl: address, token: null, headers: {}, timeoutMs });
  const clientWith = (token: string | null) => createBackendClient({ baseUrl, token, headers, timeoutMs });
  const ask = createAsk({ ...options, client: clientWith(token) });
  const previewer = config.preview ? clientWith(config.preview.token) : null;
  const hasToken = token !== null;

  const types = await examineTypes(ask);
  const strapi = versionOf(types);
  const access = await checkAccess(types, { baseUrl, ask, hasToken, previewer, clientOf });
  const findings = [...access.findings];
  if (access.isReached) {
    const refused = new Set(types.flatMap(({ type, error }) => (error ? [type.path] : [])));
    const readable = await Promise.all(
      types.flatMap(type => (type.error === null ? [withListing(type, ask)] : [])),
    );
    const drafts = { ask, config, stranger: clientOf(baseUrl), previewer, version: strapi ?? 5 };
    const found = await Promise.all([
      ...readable.flatMap(type => [
        checkFields(type, refused, hasToken),
        checkSlugs(type),
        checkPictures(type),
      ]),
      checkRedirects(readable, { ask, config }),
      checkDrafts(readable, drafts),
      checkAccent(readable),
      checkMedia(readable, baseUrl, ask, config),
      checkPreviewToken(readable, drafts),
      checkPreviewFrame(config),
      posts ? checkPreviewOfSite(config) : [],
      posts ? checkEmail(ask) : [],
    ]);
    findings.push(...found.flat());
  }
  findings.push(...checkConnections(config, baseUrl), ...checkSharedStore(config), ...checkVariables(config));
  if (posts) findings.push(...[await checkWebhook(config)].flat(), ...(await checkLinks(config)));
  return {
    examinedAt: new Date().toISOString(),
    backend: baseUrl,
    strapi,
    isReached: access.isReached,
    calls: ask.calls,
    ms: Math.round(steadyNow() - startedAt),
    findings: sortedFindings(findings),
  };
}

/** Examines the first type alone, so that a silent backend is asked once. */
async function examineTypes(ask: Ask): Promise<ExaminedType[]> {
  const [first, ...others] = namedTypes.map(type => () => examineType(ask, ...type));
  const opening = first ? [await first()] : [];
  const isSilent = opening.some(({ error }) => error?.kind === 'unreachable' || error?.kind === 'timeout');
  return isSilent ? opening : [...opening, ...(await Promise.all(others.map(run => run())))];
}

function versionOf(types: readonly ExaminedType[]): 4 | 5 | null {
  const rows = types.flatMap(({ bodies }) => bodies.flatMap(body => [unwrap(body)].flat()));
  const entries = rows.filter(row => entryOf(row) !== null);
  if (entries.length === 0) return null;
  return entries.some(row => isObject(row) && row.documentId !== undefined) ? 5 : 4;
}
