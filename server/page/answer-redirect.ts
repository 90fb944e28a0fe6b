import type { Response } from 'express';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { PayloadRedirect, RedirectPayload } from '../../shared/payload/payload.ts';
import { BROWSER_CACHING } from '../page-cache/page-headers.ts';
import type { PageJob } from './resolved-page.ts';

/** Answers a page with a `Location`, and a payload with the field `redirect`, which the browser's router follows. */
export function answerRedirect(
  { id }: BuildManifest,
  res: Response,
  redirect: PayloadRedirect,
  { request: { form }, match }: Pick<PageJob, 'request' | 'match'>,
): void {
  // Editors may change a redirect at any time, so browsers have to revalidate even a permanent one.
  // Middleware that reads `from` may redirect one visitor and not the next.
  res.set('Cache-Control', match?.route.readsFrom ? 'no-store' : BROWSER_CACHING);
  if (form === 'page') {
    res.status(redirect.statusCode).location(redirect.to).end();
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
