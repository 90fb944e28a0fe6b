import type { RequestHandler } from 'express';
import type { FormState } from '../../shared/form-state.ts';
import { answerRedirect } from '../answer-redirect.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { RETRY_AFTER_S } from '../errors.ts';
import { loadPage } from '../render/page-payload.ts';
import { matchOf, pageOf, scopeOf } from '../request-scope.ts';
import { sendPage } from '../send-page.ts';
import type { Site } from '../site.ts';

/** Loads what the page shows and answers with it, as HTML or as its payload. */
export function answerPage(site: Site): RequestHandler {
  return async (req, res) => {
    const { form, path, search, query, formState } = pageOf(res);
    const location = {
      match: matchOf(res),
      path,
      query,
      origin: scopeOf(res).origin,
      buildId: site.manifest.id,
    };
    const loaded = await loadPage(readerFor(site, res), location);
    if (loaded.kind === 'redirect') {
      return answerRedirect(site, res, {
        to: loaded.to + search,
        statusCode: loaded.statusCode,
        external: false,
      });
    }
    const status = statusOf(formState);
    // The answer to a form post holds what somebody typed.
    res.set('Cache-Control', req.method === 'POST' ? 'no-store' : 'public, max-age=0, must-revalidate');
    if (status === 503) res.set('Retry-After', String(RETRY_AFTER_S));
    if (form === 'payload') {
      res.json(loaded.payload);
      return;
    }
    await sendPage(site, req, res, loaded, status);
  };
}

/** A page is a page; as the answer to a form post it says what became of the post. */
function statusOf(formState: FormState | null): number {
  if (formState?.status === 'invalid') return 422;
  return formState?.status === 'failed' ? 503 : 200;
}
