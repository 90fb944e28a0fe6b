import type { Request, Response } from 'express';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { RedirectPayload } from '../../shared/payload/payload.ts';
import type { PayloadRedirect } from '../../shared/routing/redirects.ts';
import { isGone, resolveRedirect } from '../../shared/routing/redirects.ts';
import { surrogateFields } from '../cache/tags/surrogate-keys.ts';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import { endWithoutBody } from '../http/end-without-body.ts';
import type { Fields } from '../http/ready-head.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { withoutCaching } from '../page-cache/page-headers.ts';
import { isOfOtherBuild } from './page-request.ts';
import type { LoadRedirects } from './resolve/redirect-table.ts';
import type { PageJob } from './resolve/resolved-page.ts';

export type HasRedirect = (req: Request, res: Response, path?: string) => Promise<boolean>;

/** Tells handlers of files whether the redirect table has the address of a missing file. */
export function hasRedirect(parts: ReaderParts & { readonly loadRedirects: LoadRedirects }): HasRedirect {
  return async (req, res, path = req.path) => {
    const { log, signal } = scopeOf(res);
    const table = await parts.loadRedirects({ reader: readerFor(parts, res), log, signal });
    return table !== null && (isGone(table, path) || resolveRedirect(table, path) !== null);
  };
}

/** Counts how often each row redirects, by its id. The page cache never stores redirects. */
export class RedirectUses {
  readonly #uses = new Map<string, number>();

  note(rows: readonly string[]): void {
    for (const id of rows) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
  }

  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#uses);
  }
}

/** Answers the request for a page with `Location`, and that for a payload with a field `redirect`. */
export function answerRedirect(
  { id }: BuildManifest,
  res: Response,
  redirect: PayloadRedirect,
  { request }: Pick<PageJob, 'request'>,
  caching: Fields,
): void {
  const { form } = request;
  const allowed = isOfOtherBuild(request, id) ? withoutCaching(caching) : caching;
  for (const [name, value] of allowed) {
    if (name === 'Vary') res.vary(value);
    else if (name === 'Surrogate-Key') res.set(Object.fromEntries(surrogateFields(value)));
    else res.set(name, value);
  }
  if (form === 'page') {
    endWithoutBody(res.status(redirect.statusCode).location(redirect.to));
    return;
  }
  const payload: RedirectPayload = {
    buildId: id,
    route: null,
    params: {},
    data: null,
    head: null,
    redirect,
  };
  res.json(payload);
}
