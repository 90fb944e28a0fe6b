import type { HttpError } from '../../../shared/payload/http-error.ts';
import type { PayloadRedirect } from '../../../shared/routing/redirects.ts';
import type { ContentReader } from '../../content/reading/content-reader.ts';
import type { LoadedPage } from '../../render/html-request.ts';
import type { PageMatch, RenderRequest } from '../page-request.ts';

export interface PageJob extends Pick<RenderRequest, 'request' | 'match' | 'origin' | 'log'> {
  readonly reader: ContentReader;
  readonly signal: AbortSignal;
}

/** `partial`: the redirects could not be loaded, so the result must not be stored. */
export type ResolvedPage =
  /** `rows`: the ids of the editors' redirects that were followed. */
  | { kind: 'redirect'; redirect: PayloadRedirect; rows?: readonly string[] }
  | { kind: 'page'; page: LoadedPage; match: PageMatch; partial: boolean }
  | NotFound;

export interface NotFound {
  kind: 'not-found';
  error: HttpError;
  match: PageMatch | null;
  partial: boolean;
}
