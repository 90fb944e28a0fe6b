import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import { pathOfEntry } from '../content/entry-path.ts';
import { isLoggedRefusal } from '../content/preview-content.ts';
import { safeSitePath } from '../content/safe-address.ts';
import type { SiteLanguage } from '../content/site-language.ts';
import { toPageError } from '../errors.ts';
import { isSecret } from '../http/bearer-token.ts';
import { allowFrames } from '../http/content-security-policy.ts';
import { endWithoutBody } from '../http/end-without-body.ts';
import type { PreviewCookie, PreviewStatus } from '../http/preview-cookie.ts';
import { scopeOf } from '../http/request-scope.ts';
import { bareErrorDocument } from '../render/document.ts';
import type { Site } from '../site.ts';

/** The address that the preview handler of the CMS names. */
const PREVIEW_PATH = '/api/preview';
const EXIT_PATH = '/api/preview/exit';

/**
 * Begins and ends previews, where they are configured. The CMS opens `/api/preview?secret=…&status=draft` with `url`, the path of a page, or
 * with `type` and `documentId` of an entry. The answer is a cookie and a redirect to the page.
 */
export function preview({
  config,
  languageOf,
  preview,
}: Pick<Site, 'config' | 'languageOf' | 'preview'>): RequestHandler {
  if (!config.preview || !preview) return (_req, _res, next) => next();
  const { secret, frameOrigins } = config.preview;
  const { cookie, openContent } = preview;

  return async (req, res, next) => {
    const isBegin = req.path === PREVIEW_PATH;
    if ((!isBegin && req.path !== EXIT_PATH) || req.method !== 'GET') return next();
    res.set('Cache-Control', 'no-store');
    try {
      await answer(req, res, isBegin);
    } catch (error) {
      // The CMS shows the sentence in its frame, in place of the page.
      allowFrames(res, frameOrigins);
      refuse(req, res, error, languageOf(null));
    }
  };

  async function answer(req: Request, res: Response, isBegin: boolean): Promise<void> {
    if (isBegin && !secret.some(value => isSecret(textOf(req, 'secret'), value)))
      throw new HttpError('The secret of the preview is wrong.', 401);
    const status = isBegin ? statusOf(req) : 'published';
    const path = await targetOf(req, res, status);
    // The CMS shows the published content in its frame, too, which only a preview may be shown in.
    const isInFrame = frameOrigins.length > 0 && req.get('Sec-Fetch-Dest') === 'iframe';
    const isEditor = isBegin || cookie.read(req.headers.cookie) !== null;
    res.set('Set-Cookie', cookieFor(cookie, status, isInFrame && isEditor));
    endWithoutBody(res.status(307).location(path));
  }

  /** @throws HttpError for a query that names no page of this site. */
  async function targetOf(req: Request, res: Response, status: PreviewStatus): Promise<string> {
    if (req.query.url !== undefined) {
      const path = safeSitePath(req.query.url);
      if (path === null) throw new HttpError('The address of a preview must be a path of this site.', 400);
      return path;
    }
    const type = textOf(req, 'type');
    if (req.path === EXIT_PATH) return '/';
    if (type === '') throw new HttpError('A preview needs a url, or a type and a documentId.', 400);
    const { signal } = scopeOf(res);
    const { ask } = openContent(status, signal);
    const path = await pathOfEntry(call => ask(call, signal), type, textOf(req, 'documentId'));
    if (!path.ok) throw new HttpError(path.error, 404);
    return path.value;
  }
}

/**
 * Answers an error without the query of the address, which holds the secret. The error page of other addresses repeats it. Editors read a
 * sentence; programs get JSON.
 */
function refuse(req: Request, res: Response, error: unknown, language: SiteLanguage): void {
  const { labels } = language;
  // The client has disconnected: skip the write.
  if (res.destroyed) return;
  const { id, log } = scopeOf(res);
  const { statusCode, statusMessage, message } = toPageError(error, id, labels);
  if (statusCode >= 500)
    log[isLoggedRefusal(error) ? 'debug' : 'warn'](
      { reason: String(error) },
      'a preview could not be opened',
    );
  res.status(statusCode).vary('Accept');
  if (req.accepts('html', 'json') === 'html')
    res.type('html').send(bareErrorDocument({ statusCode, statusMessage, message }, language));
  else res.json({ error: true, url: req.path, statusCode, statusMessage, message });
}

function cookieFor(cookie: PreviewCookie, status: PreviewStatus, isInFrame: boolean): string {
  return status === 'draft' || isInFrame ? cookie.begin(status) : cookie.end;
}

function statusOf(req: Request): PreviewStatus {
  const status = textOf(req, 'status') || 'draft';
  if (status === 'draft' || status === 'published') return status;
  throw new HttpError('The status of a preview is draft or published.', 400);
}

/** @returns a value of the query; '' for one that is absent or given twice. */
function textOf(req: Request, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value : '';
}
