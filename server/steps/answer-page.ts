import type { RequestHandler } from 'express';
import { answerRedirect } from '../answer-redirect.ts';
import { readerFor } from '../content/reader-for-request.ts';
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
    res.set('Cache-Control', 'public, max-age=0, must-revalidate');
    if (form === 'payload') {
      res.json(loaded.payload);
      return;
    }
    await sendPage(site, req, res, loaded, formState && formState.status !== 'sent' ? 422 : 200);
  };
}
