import { siteTypes } from '../../../site/types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { BackendError } from '../../errors.ts';
import { pathOfCall } from '../../wire/content-calls.ts';
import { labelOf, modelOf, permissionLabelOf, type ServedType } from '../../wire/described-types.ts';

/**
 * The state of a content type after its last load (`docs/error-handling.md`):
 * - `ok`: loaded.
 * - `empty`: never saved, or forbidden and never loaded. Pages are made without it.
 * - `emptied`: loaded earlier, then lost without a reported removal. The last content stays.
 * - `refused`: forbidden although loaded earlier, or wrong credentials.
 * - `down`: no response that can be decoded.
 */
export type ContentState = 'ok' | 'empty' | 'emptied' | 'refused' | 'down';

const START_UP_TYPES: ReadonlySet<string> = new Set([
  siteTypes.blog.path,
  siteTypes.category.path,
  siteTypes.author.path,
  siteTypes.settings.path,
  siteTypes.landing.path,
]);

export function stateAfter(type: ServedType, error: unknown, isKnown: boolean): Exclude<ContentState, 'ok'> {
  const status = statusOf(error);
  if (isEmptied(error) || (status === 404 && isKnown)) return 'emptied';
  if (!isKnown && countsAsEmpty(type, error)) return 'empty';
  return status === 401 || status === 403 || status === 404 ? 'refused' : 'down';
}

/** Whether content is missing (404) or forbidden. A 404 of a start-up collection means a wrong backend. */
export function countsAsEmpty(type: ServedType, error: unknown): error is BackendError {
  const status = statusOf(error);
  return status === 403 || (status === 404 && (type.storage === 'single' || !START_UP_TYPES.has(type.path)));
}

/** @returns whether the error makes pages of this content fail. A never saved single type does not. */
export function isRefusal(type: ServedType, error: BackendError): boolean {
  return !(error.status === 404 && type.storage === 'single');
}

export function isAbsent({ storage }: ServedType, error: unknown): boolean {
  return storage === 'single' && statusOf(error) === 404;
}

export function isOptional({ optional }: ServedType, error: unknown): boolean {
  return optional !== undefined && statusOf(error) === 404;
}

export function isEmptied(error: unknown): boolean {
  return error instanceof BackendError && error.kind === 'emptied';
}

/** @returns the larger type that was emptied together with a small type; null for this type's own loss. */
export function emptiedWith(error: unknown): string | null {
  const cause = error instanceof BackendError ? error.cause : null;
  return cause instanceof BackendError && isEmptied(cause) ? pathOfCall(cause.call) : null;
}

export function emptyAnswer({ storage, fields }: ServedType): JsonAnswer {
  // Set each field to null, because a missing relation would be reported as a missing permission.
  const attributes = Object.fromEntries(Object.keys(fields).map(name => [name, null]));
  const body = { data: storage === 'single' ? { id: 0, attributes } : [] };
  return { text: JSON.stringify(body), body };
}

export function placeOfPermissions(hasToken: boolean): string {
  return hasToken
    ? "Strapi: Settings → API Tokens → the token in CONTENT_TOKEN ('Site' in the CMS of cms/)"
    : 'Strapi: Settings → Users & Permissions plugin → Roles → Public';
}

export function remedyForAll(error: BackendError, hasToken: boolean): string {
  switch (error.status) {
    case 401:
      return hasToken
        ? "set CONTENT_TOKEN to a valid API token (Strapi: Settings → API Tokens; in the CMS of cms/ it is 'Site', and starting the CMS makes it valid again), and restart the site"
        : 'set CONTENT_TOKEN to an API token of the CMS (Strapi: Settings → API Tokens → Create new API Token), and restart the site';
    case 403:
      return hasToken
        ? `${placeOfPermissions(hasToken)}: find of every type, and send of Email`
        : 'Strapi: Settings → API Tokens → Create new API Token with find of every type, and send of Email; set CONTENT_TOKEN to it and restart the site';
    case 404:
      return 'set CONTENT_BASE_URL to the address of the CMS; a new CMS needs the types of the project in cms/';
  }
  if (error.kind === 'malformed')
    return 'check that the CMS itself answers at CONTENT_BASE_URL, and no proxy or maintenance page';
  return error.kind === 'status'
    ? 'look into the log of the CMS'
    : 'check that the CMS runs, and that it answers at CONTENT_BASE_URL within CONTENT_TIMEOUT_MS';
}

export function remedyFor({ path, storage }: ServedType, error: unknown, hasToken: boolean): string {
  if (!(error instanceof BackendError)) return 'report the error to the developers of the site';
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
    case 'refused-by-breaker':
      return remedyForAll(error, hasToken);
    case 'malformed':
      return `check that the CMS itself answers at CONTENT_BASE_URL, and no proxy or maintenance page; then compare 'api/${path}' with the fields that the site needs`;
    case 'emptied':
      return `restore the entries of '${path}' in the CMS, or check CONTENT_BASE_URL`;
    case 'too-large':
      return `divide or shorten the content of '${path}'`;
  }
  if (error.status === 401) return remedyForAll(error, hasToken);
  const model = modelOf(path);
  if (error.status === 403)
    return `${placeOfPermissions(hasToken)} → ${permissionLabelOf(model)} → allow find`;
  if (error.status === 404)
    return storage === 'single'
      ? `Strapi: Content Manager → Single Types → ${labelOf(model)} → save it, and publish it if it has drafts`
      : `create the type with the API ID '${model}' (plural '${path}') in the CMS (Strapi: Content-Type Builder → Create new collection type), or check CONTENT_BASE_URL`;
  return `look for 'api/${path}' in the log of the CMS`;
}

function statusOf(error: unknown): number | null {
  return error instanceof BackendError ? error.status : null;
}
