import type { Request, Response } from 'express';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { PayloadRedirect, RedirectPayload } from '../../shared/payload/payload.ts';
import { isGone, resolveRedirect } from '../../shared/routing/redirects.ts';
import { surrogateFields } from '../cache/surrogate-tags.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { endWithoutBody } from '../http/end-without-body.ts';
import type { Fields } from '../http/ready-head.ts';
import { scopeOf } from '../http/request-scope.ts';
import { withoutCaching } from '../page-cache/page-headers.ts';
import type { Site } from '../site.ts';
import { isOfOtherBuild } from './page-request.ts';
import type { PageJob } from './resolved-page.ts';

/** @returns whether a row of the redirect table has the address of a request. */
export type HasRedirect = (req: Request, res: Response) => Promise<boolean>;

/**
 * @returns a function for steps that serve files: the address of a file that does not exist may be in the redirect table. The step then hands
 *   the request on, and the page's answer is the redirect.
 */
export function hasRedirect(site: Pick<Site, 'content' | 'metrics' | 'loadRedirects'>): HasRedirect {
  return async (req, res) => {
    const { log, signal } = scopeOf(res);
    const table = await site.loadRedirects({ reader: readerFor(site, res), log, signal });
    return table !== null && (isGone(table, req.path) || resolveRedirect(table, req.path) !== null);
  };
}

/**
 * Answers a page with a `Location`, and a payload with the field `redirect`, which the browser's router follows.
 *
 * @param caching the caching headers.
 */
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
