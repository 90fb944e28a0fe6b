import type { RequestHandler, Response } from 'express';
import { SHARE_CARD_NAME, SHARE_CARDS, SHARE_PICTURE } from '../../shared/content/image.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import type { Generated } from '../cache/generated.ts';
import { surrogateKey } from '../cache/tags/surrogate-keys.ts';
import type { WorkQueue } from '../cache/work-queue.ts';
import { readerFor } from '../content/reading/reader-for-request.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { setFileHeaders } from '../http/send-file.ts';
import { fileCaching } from '../media/media-caching.ts';
import { headersOf } from '../media/media-type.ts';
import { type DefaultPictureParts, sendDefaultPicture } from '../media/renditions/default-share-picture.ts';
import type { PageCard, PageCards, ShareCards } from '../media/renditions/share-cards.ts';
import { ImageRefusedError } from '../media/scaling/scaling-messages.ts';
import { pageRequestOf } from '../page/page-request.ts';
import { type ResolveParts, resolvePage } from '../page/resolve/resolve-page.ts';

const MAX_AGE_S = 86_400;
const MAX_PATH = 1_000;

interface CardParts extends ResolveParts, DefaultPictureParts {
  readonly shareCards: ShareCards;
  readonly pageCards: PageCards;
  readonly renderQueue: WorkQueue;
}

export const SHARE_CARD_PATHS = [`/images/${SHARE_CARD_NAME}`, `${SHARE_CARDS}/{*page}`];

/**
 * Serves cards at `/images/cards/blog/card.jpg?v=…`, and at the former `/images/card.jpg?page=/blog&v=…`. A
 * card shows the current page. If `v` is the current version, browsers may store it for good.
 */
export function shareCard(parts: CardParts): RequestHandler {
  return async (req, res) => {
    const { page, v: version } = req.query;
    const path = req.path.startsWith(`${SHARE_CARDS}/`) ? pageOfCard(req.path) : page;
    if (typeof path !== 'string' || !path.startsWith('/') || path.length > MAX_PATH || /[?#]/.test(path))
      return refuse(res, 400, 'The parameter page is the path of a page.');
    const { signal } = scopeOf(res);
    try {
      const card = await findCard(parts, res, path);
      if (!card) return refuse(res, 404, 'There is no such card.');
      if (card.drawn instanceof ImageRefusedError) throw card.drawn;
      const caching = fileCaching(card.words, MAX_AGE_S, card.version === version ? 'unchanging' : 'other');
      setFileHeaders(res, headersOf(SHARE_PICTURE.type, req.path));
      res.set({ ...caching, ETag: card.drawn.etag }).send(card.drawn.bytes);
    } catch (error) {
      if (signal.aborted || res.headersSent) throw error;
      await sendDefaultPicture(parts, req, res, error);
    }
  };
}

function pageOfCard(path: string): string | null {
  const end = `/${SHARE_CARD_NAME}`;
  return path.endsWith(end) ? path.slice(SHARE_CARDS.length, -end.length) || '/' : null;
}

async function findCard(parts: CardParts, res: Response, path: string): Promise<PageCard | null> {
  const request = pageRequestOf(path);
  const match = matchRoute(parts.routes, request.path);
  if (!match) return null;
  const { pageCards, shareCards, renderQueue } = parts;
  const { origin, log, signal } = scopeOf(res);
  const key = `${origin ?? ''}${request.path}`;
  const load = async (own: AbortSignal): Promise<Generated<PageCard | null, never>> => {
    const reader = readerFor(parts, res, own);
    const job = { request, match, reader, origin, log, signal: own };
    const resolved = await renderQueue.run(() => resolvePage(parts, job), own);
    const page = resolved.kind === 'page' ? resolved.page : null;
    const about = page?.about ?? null;
    const card = page?.share?.card ?? null;
    const drawn = card && (await shareCards.get(card, own));
    const value = drawn && { version: card.version, drawn, words: surrogateKey(reader.tags, about) };
    const { tags, generatedAt, isInvalidated: invalidated, servedStale } = reader;
    const entry = { value, tags, about, generatedAt, invalidated };
    if (resolved.kind !== 'redirect' && resolved.partial) return { kind: 'partial', entry };
    return { kind: 'entry', entry, isNegative: value === null, servedStale, record: null };
  };
  const stored = pageCards.get(key);
  // Never send an invalidated card: apps that show link previews keep a picture for days.
  if (stored && !stored.entry.invalidated) {
    if (stored.ttlMs <= 0) void pageCards.revalidateInBackground(key, load);
    const card = stored.entry.value;
    if (card)
      parts.metrics.count(
        'site_share_card_answers_total',
        card.drawn instanceof ImageRefusedError ? 'failed' : 'hit',
      );
    return card;
  }
  const loaded = await pageCards.revalidate(key, load, signal);
  return loaded.kind === 'moved' ? null : loaded.entry.value;
}

function refuse(res: Response, statusCode: 400 | 404, message: string): void {
  res.status(statusCode).set('Cache-Control', 'no-store').type('text/plain').send(message);
}
