import type { Request, Response } from 'express';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { MOMENT_HEADER } from '../../../shared/payload/preview-notes.ts';
import { readerFor } from '../../content/reading/reader-for-request.ts';
import { momentIn } from '../../decode/site-time.ts';
import { isOnThisMachine } from '../../http/request/request-origin.ts';
import { scopeOf } from '../../http/request/request-scope.ts';
import { wantsJson } from '../../http/request/wants-json.ts';
import { allowFrames, framedBy } from '../../http/security/content-security-policy.ts';
import { sendCompressedJson } from '../../page-cache/send-compressed.ts';
import type { FieldNotes } from '../../previews/note-fields.ts';
import type { PreviewView } from '../../previews/preview-cookie.ts';
import type { LoadedPage } from '../../render/html-request.ts';
import type { LinkNote } from '../../render/page-html.ts';
import { createSettingsInDocument } from '../../render/settings-in-document.ts';
import { asTyped } from '../../rich-text/nodes/typography.ts';
import { type ErrorParts, sendError } from '../answer-error.ts';
import { answerRedirect } from '../answer-redirect.ts';
import type { PageLookup } from '../page-request.ts';
import { type NotFoundParts, notFoundPage } from '../resolve/load-page.ts';
import { createRedirectLoader } from '../resolve/redirect-table.ts';
import { type ResolveParts, resolvePage } from '../resolve/resolve-page.ts';
import { sendPage } from '../send-page.ts';
import type { Preview } from './preview.ts';

const MINUTE_LENGTH = '2026-12-24T09:00'.length;
/** In place of a missing MOMENT_HEADER. It is no date, so `viewAt` returns null, and `view` applies. */
const AS_ASKED = '-';
const NO_STORE = 'private, no-store';

/** Describes the links from and to an entry, named as in `articles:42`. */
export interface LinkNotes {
  noteOf(about: string): LinkNote;
}

export interface PreviewParts extends ErrorParts, ResolveParts, NotFoundParts {
  readonly links?: LinkNotes;
}

/** Answers with a page or payload for editors. No part of the response is stored. */
export async function answerPreview(
  publicParts: PreviewParts,
  preview: Preview,
  view: PreviewView,
  req: Request,
  res: Response,
  lookup: PageLookup,
): Promise<void> {
  const { signal } = scopeOf(res);
  const other = preview.viewAt(req.get(MOMENT_HEADER) ?? AS_ASKED, 'published');
  // Load this module late: a site without previews never needs it.
  const { FieldNotes } = await import('../../previews/note-fields.ts');
  const notes = new FieldNotes();
  const parts = previewParts(publicParts, preview, other ?? view, signal, notes);
  // Keep the response out of caches and search engines, and allow the CMS's frame.
  res.set({ 'Cache-Control': NO_STORE, 'X-Robots-Tag': 'noindex' });
  allowFrames(res, publicParts.config.preview?.frameOrigins ?? []);
  try {
    await parts.renderQueue.run(() => answer(parts, preview, req, res, lookup, notes), signal);
  } catch (error) {
    await sendError(parts, req, res, error, lookup.request);
  }
}

async function answer(
  parts: PreviewParts,
  preview: Preview,
  req: Request,
  res: Response,
  lookup: PageLookup,
  notes: FieldNotes,
): Promise<void> {
  const { trace, signal, log, origin } = scopeOf(res);
  const { request, match } = lookup;
  trace.route = match?.route.id ?? null;
  trace.pageCache = 'bypass';
  const reader = readerFor(parts, res);
  const resolved = await resolvePage(parts, { request, match, reader, origin, log, signal });
  if (resolved.kind === 'redirect')
    return answerRedirect(parts.manifest, res, resolved.redirect, lookup, [['Cache-Control', NO_STORE]]);
  const isPage = resolved.kind === 'page';
  if (!isPage && wantsJson(req) && request.form === 'page') throw HttpError.notFound(request.path);
  const loaded = isPage ? resolved.page : notFoundPage(parts, { reader, origin, request }, resolved);
  const page = unlisted(loaded, notes, req.get(MOMENT_HEADER) !== undefined);
  if (request.form === 'payload') return sendCompressedJson(req, res, page.payload);
  const status = isPage ? 200 : resolved.error.statusCode;
  const { unknown } = notes;
  const links = page.about === null ? null : (parts.links?.noteOf(page.about) ?? null);
  const shown = parts.shownPreview;
  const editsFiles = preview.edit !== null && shown?.status === 'draft' && isOnThisMachine(req);
  const shownPreview = shown && { ...shown, links, unknown, editsFiles };
  await sendPage({ ...parts, shownPreview }, req, res, { page, request, match, status });
}

/** Removes data for search engines, and the share picture, which would show drafts. Adds the notes. */
function unlisted(page: LoadedPage, notes: FieldNotes, withEntries: boolean): LoadedPage {
  const payload = notes.addTo(page.payload, withEntries);
  return {
    ...page,
    share: null,
    jsonLd: [],
    payload: { ...payload, head: { ...payload.head, robots: 'noindex' } },
  };
}

/** @returns the parts for one response. Those that store content are new, and end with the response. */
export function previewParts<P extends PreviewParts>(
  parts: P,
  preview: Preview,
  view: PreviewView,
  signal: AbortSignal,
  notes?: FieldNotes,
): P {
  const { config, manifest } = parts;
  const { frameOrigins = [] } = config.preview ?? {};
  const readSettings = createSettingsInDocument(config);
  const own: Partial<PreviewParts> = {
    content: preview.openContent(view, signal, notes),
    renderPage: preview.createRenderer(),
    settingsInDocument(...about) {
      const found = readSettings(...about);
      return { ...found, policy: found.policy && framedBy(found.policy, frameOrigins) };
    },
    errorPages: (html, render) => render(html),
    // Skip the wait for public content, which may not exist yet.
    startUp: { ready: true, whenReady: async () => {} },
    loadRedirects: createRedirectLoader(),
    nearestPages: () => [],
    // Show texts exactly as editors have typed them, because they may edit them.
    languageOf: settings => ({ ...parts.languageOf(settings), typeset: asTyped }),
    // Ignore problems of drafts, because the editor is still at work.
    problems: { replace: () => {} },
    // Change the build id, so that browsers fully load public pages and previews of other moments.
    manifest: {
      ...manifest,
      id: [manifest.id, view.status, view.at].filter(part => part !== null).join('.'),
    },
    shownPreview: {
      links: null,
      unknown: 0,
      editsFiles: false,
      status: view.status,
      moment: view.at === null ? null : momentIn(view.at, preview.timeZone()).slice(0, MINUTE_LENGTH),
      buildId: manifest.id,
      frameOrigins,
    },
  };
  return { ...parts, ...own };
}
