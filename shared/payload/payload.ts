import type { PayloadRedirect } from '../routing/redirects.ts';
import type { RouteParams } from '../routing/route.ts';
import type { PageDataByRoute, RouteId } from '../routing/routes.ts';
import type { PageError } from './http-error.ts';
import type { Head, Shell } from './shell.ts';

/** Embedded in the HTML, or fetched from `{path}/_payload.json` on navigation. */
export interface PagePayload<Id extends RouteId = RouteId> {
  buildId: string;
  /** Null if no route matches. */
  route: Id | null;
  params: RouteParams;
  data: {
    /** Null for an error while the settings are not cached: header and footer have no links. */
    shell: Shell | null;
    /** Null with an error. */
    page: PageDataByRoute[Id] | null;
  };
  head: Head;
  error?: PageError;
}

export interface RedirectPayload {
  buildId: string;
  route: null;
  params: RouteParams;
  data: null;
  head: null;
  redirect: PayloadRedirect;
}

export type PayloadAnswer = PagePayload | RedirectPayload;
