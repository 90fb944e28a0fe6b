import type { FormState } from '../../shared/forms/form-state.ts';
import type { PayloadRedirect } from '../../shared/payload/payload.ts';
import type { RouteDefinition, RouteParams } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import type { Logger } from '../ops/log.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import type { Site } from '../site.ts';

/** One of the site's pages being asked for, as HTML or as its payload. */
export interface PageRequest {
  form: 'page' | 'payload';
  /** The path as it was asked for, percent-encoded, without the payload's suffix. */
  path: string;
  /** The query as it was asked for, with its question mark, without the payload's `_b`; or empty. */
  search: string;
  query: URLSearchParams;
  /** Set once a route matches. */
  match: PageMatch | null;
  /** What became of a form that was posted from this page without JavaScript. */
  formState: FormState | null;
}

export interface PageMatch {
  route: RouteDefinition;
  params: RouteParams;
}

/** A page on its way to being shown: for a visitor, or to renew what is stored. */
export interface PageJob {
  request: PageRequest;
  reader: ContentReader;
  /** `https://host` of the public site, for absolute addresses. */
  origin: string;
  log: Logger;
  /** Aborted when nobody waits for the page any more. */
  signal: AbortSignal;
  /** Set when something could not be had that the page can do without, but not for long: it is then not stored. */
  isMakeshift?: boolean;
}

export type PageOutcome =
  | { kind: 'redirect'; redirect: PayloadRedirect }
  | { kind: 'page'; page: LoadedPage };

/** A step of a page: the outcome, or nothing when the next step is to go on. Errors are thrown. */
export type PageStep = (
  site: Site,
  job: PageJob,
) => PageOutcome | undefined | Promise<PageOutcome | undefined>;

/** @returns the outcome of an address that has moved. */
export function redirectTo(redirect: PayloadRedirect): PageOutcome {
  return { kind: 'redirect', redirect };
}

/**
 * @returns the matched route.
 * @throws Error before the step `match-page` has run: a mistake in the order of the steps.
 */
export function matchOf({ request }: PageJob): PageMatch {
  if (!request.match) throw new Error('The step match-page has not run');
  return request.match;
}
