import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import { safeSitePath } from '../addresses/safe-address.ts';
import type { Config } from '../config/config.ts';
import type { LanguageOf, SiteLanguage } from '../content/reading/site-language.ts';
import { pathOfEntry } from '../content/slugs/entry-path.ts';
import { toPageError } from '../errors.ts';
import { endWithoutBody } from '../http/end-without-body.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { isSecret } from '../http/security/bearer-token.ts';
import { allowFrames } from '../http/security/content-security-policy.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import type { Preview } from '../page/preview/preview.ts';
import { plannedChanges } from '../previews/planned-changes.ts';
import { isLoggedRefusal } from '../previews/preview-content.ts';
import type { PreviewCookie, PreviewStatus, PreviewView } from '../previews/preview-cookie.ts';
import { bareErrorDocument } from '../render/document.ts';

export const PREVIEW_PATH = '/api/preview';
export const EXIT_PATH = '/api/preview/exit';
export const MOMENT_PATH = '/api/preview/moment';
/** Lists entries that will appear or disappear at a date, as JSON for the calendar in the preview bar. */
export const PLAN_PATH = '/api/preview/plan';

/** Refuses previews without a valid secret. Runs before Express, which would take three times as long. */
export function previewRefusals({
  config: { preview },
  metrics,
}: Pick<PreviewEndpointParts, 'config' | 'metrics'>): (url: string) => HttpError | null {
  if (!preview) return () => null;
  return url => {
    if (url !== PREVIEW_PATH && !url.startsWith(`${PREVIEW_PATH}?`)) return null;
    if (givenSecret(url, preview.secret) >= 0) return null;
    metrics.count('site_previews_total', 'refused');
    return wrongSecret();
  };
}

const wrongSecret = () => new HttpError('The secret of the preview is wrong.', 401);

/** @returns the index of the given secret among the valid ones; -1 for a wrong one. */
function givenSecret(url: string, secrets: readonly string[]): number {
  const given = new URLSearchParams(url.slice(url.indexOf('?'))).getAll('secret');
  return given.length === 1 ? secrets.findIndex(secret => isSecret(given[0] ?? '', secret)) : -1;
}

interface PreviewEndpointParts {
  readonly config: Pick<Config, 'preview' | 'siteLocale'>;
  readonly languageOf: LanguageOf;
  readonly preview: Preview | null;
  readonly metrics: Pick<Metrics, 'count'>;
}

/**
 * Opens a preview: `/api/preview?secret=…&status=draft` with `url`, the path of a page, or with `type` and
 * `documentId` of an entry. Sets a cookie and redirects to the page.
 */
export function preview({ config, languageOf, preview, metrics }: PreviewEndpointParts): RequestHandler[] {
  if (!config.preview || !preview) return [];
  const { secret, frameOrigins } = config.preview;
  const { cookie, openContent, noteFormer } = preview;

  return [
    async (req, res) => {
      res.set('Cache-Control', 'no-store');
      try {
        const isBegin = req.path === PREVIEW_PATH;
        await answer(req, res, isBegin);
        if (isBegin) metrics.count('site_previews_total', 'opened');
      } catch (error) {
        // Let the CMS's frame show the error in place of the page.
        allowFrames(res, frameOrigins);
        refuse(req, res, error, languageOf(null));
        metrics.count('site_previews_total', res.statusCode < 500 ? 'refused' : 'failed');
      }
    },
  ];

  async function answer(req: Request, res: Response, isBegin: boolean): Promise<void> {
    const given = isBegin ? givenSecret(req.url, secret) : 0;
    if (given < 0) throw wrongSecret();
    if (given > 0) noteFormer();
    const before = cookie.read(req.headers.cookie);
    if (req.path === PLAN_PATH || req.path === MOMENT_PATH)
      if (before === null) throw new HttpError('The preview has ended.', 401);
    if (req.path === PLAN_PATH) return sendPlan(res);
    const status = isBegin ? statusOf(req) : req.path === MOMENT_PATH && before ? before.status : 'published';
    const view = viewOf(req, status === 'past' ? 'draft' : status);
    const path = await targetOf(req, res, view);
    // In the CMS's frame, begin a preview for published content too: only previews may appear there.
    const isInFrame = frameOrigins.length > 0 && req.get('Sec-Fetch-Dest') === 'iframe';
    const isEditor = isBegin || before !== null;
    res.set('Set-Cookie', cookieFor(cookie, view, isInFrame && isEditor));
    endWithoutBody(res.status(307).location(path));
  }

  function viewOf(req: Request, status: PreviewStatus): PreviewView {
    const view = preview?.viewAt(req.path === EXIT_PATH ? '' : textOf(req, 'at'), status);
    if (view) return view;
    throw new HttpError(
      'The moment of a preview is in the future or the last 90 days, such as at=2126-12-24T09:00.',
      400,
    );
  }

  async function sendPlan(res: Response): Promise<void> {
    const { signal } = scopeOf(res);
    const { ask } = openContent({ status: 'draft', at: null }, signal);
    const timeZone = preview?.timeZone() ?? 'UTC';
    res.json(await plannedChanges(call => ask(call, signal), timeZone));
  }

  async function targetOf(req: Request, res: Response, view: PreviewView): Promise<string> {
    if (req.query.url !== undefined) {
      const path = safeSitePath(req.query.url);
      if (path === null) throw new HttpError('The address of a preview must be a path of this site.', 400);
      return path;
    }
    const type = textOf(req, 'type');
    if (req.path === EXIT_PATH) return '/';
    if (type === '') throw new HttpError('A preview needs a url, or a type and a documentId.', 400);
    const { signal } = scopeOf(res);
    const { ask } = openContent(view, signal);
    const path = await pathOfEntry(
      call => ask(call, signal),
      type,
      textOf(req, 'documentId'),
      config.siteLocale,
    );
    if (!path.ok) throw new HttpError(path.error, 404);
    return path.value;
  }
}

/** Shows an error without the request's query, because it contains the secret. */
function refuse(req: Request, res: Response, error: unknown, language: SiteLanguage): void {
  const { labels } = language;
  if (res.destroyed) return;
  const { id, log } = scopeOf(res);
  const { statusCode, statusMessage, message } = toPageError(error, id, labels);
  if (statusCode >= 500)
    log[isLoggedRefusal(error) ? 'debug' : 'warn'](
      { code: 'preview-failed', reason: String(error) },
      'a preview could not be opened',
    );
  res.status(statusCode).vary('Accept');
  if (req.accepts('html', 'json') === 'html')
    res.type('html').send(bareErrorDocument({ statusCode, statusMessage, message }, language));
  else res.json({ error: true, url: req.path, statusCode, statusMessage, message });
}

function cookieFor(cookie: PreviewCookie, view: PreviewView, isInFrame: boolean): string {
  return view.status === 'draft' || view.at !== null || isInFrame ? cookie.begin(view) : cookie.end;
}

function statusOf(req: Request): PreviewStatus {
  const status = textOf(req, 'status') || 'draft';
  if (status === 'draft' || status === 'published') return status;
  throw new HttpError('The status of a preview is draft or published.', 400);
}

function textOf(req: Request, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value : '';
}
