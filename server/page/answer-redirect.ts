import type { Response } from 'express';
import type { BuildManifest } from '../../shared/payload/build-manifest.ts';
import type { PayloadRedirect, RedirectPayload } from '../../shared/payload/payload.ts';
import type { PageRequest } from './page-request.ts';

/** Answers a page with a `Location`, and a payload with the field `redirect`, which the browser's router follows. */
export function answerRedirect(
  { id }: BuildManifest,
  res: Response,
  redirect: PayloadRedirect,
  form: PageRequest['form'],
): void {
  // Editors may change a redirect at any time, so browsers have to revalidate even a permanent one.
  res.set('Cache-Control', 'public, max-age=0, must-revalidate');
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
