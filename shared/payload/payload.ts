import type { PayloadRedirect } from '../routing/redirects.ts';
import type { RouteParams } from '../routing/route.ts';
import type { PageDataByRoute, RouteId } from '../routing/routes.ts';
import type { PageError } from './http-error.ts';
import type { PreviewNotes } from './preview-notes.ts';
import type { Head, Shell } from './shell.ts';

/** A page's data, in the HTML, or from `{path}/_payload.json` on navigation. */
export interface PagePayload<Id extends RouteId = RouteId> {
  buildId: string;
  route: Id | null;
  params: RouteParams;
  data: {
    /** The shell; null for an error without cached settings, so that header and footer have no links. */
    shell: Shell | null;
    page: PageDataByRoute[Id] | null;
  };
  head: Head;
  error?: PageError;
  /** Notes about the page for an editor's browser; only in previews. */
  preview?: PreviewNotes;
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
