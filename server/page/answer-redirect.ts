import type { Response } from 'express';
import type { PayloadRedirect, RedirectPayload } from '../../shared/payload/payload.ts';
import { pageOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';

/** Answers with a redirect: a `Location` for a page, a field of the payload for the browser's router. */
export function answerRedirect({ manifest }: Site, res: Response, redirect: PayloadRedirect): void {
  // Editors change their minds: a redirect is asked for again each time, even a permanent one.
  res.set('Cache-Control', 'public, max-age=0, must-revalidate');
  if (pageOf(res).form === 'page') {
    res.status(redirect.statusCode).location(redirect.to).end();
    return;
  }
  const payload: RedirectPayload = {
    buildId: manifest.id,
    route: null,
    params: {},
    data: null,
    head: null,
    redirect,
  };
  res.json(payload);
}
