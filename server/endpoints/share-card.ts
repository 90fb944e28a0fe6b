import type { RequestHandler, Response } from 'express';
import { SHARE_CARD_PATH } from '../../shared/content/image.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { surrogateKey } from '../cache/surrogate-tags.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { scopeOf } from '../http/request-scope.ts';
import { sendStoredFile } from '../http/send-file.ts';
import { type DefaultPictureSite, sendDefaultPicture } from '../media/default-share-picture.ts';
import { fileCaching } from '../media/media-caching.ts';
import { headersOf } from '../media/media-type.ts';
import { pageRequestOf } from '../page/page-request.ts';
import { type ResolvingSite, resolvePage } from '../page/resolve-page.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import type { Site } from '../site.ts';

/** How long caches may keep a card, in seconds. */
const MAX_AGE_S = 86_400;
const MAX_PATH = 1_000;

type CardSite = ResolvingSite & DefaultPictureSite & Pick<Site, 'shareCards' | 'renderQueue'>;

/**
 * Serves the cards of shared links under `/images/card.jpg?page=…&v=…`. `sharePicture` writes these addresses into pages. A card is drawn from the
 * page as it is now, so there are no more cards than pages, whatever is asked for. `v` tells browsers that a card never changes.
 */
export function shareCard(site: CardSite): RequestHandler {
  return async (req, res, next) => {
    if (req.path !== SHARE_CARD_PATH || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    const { page: path, v: version } = req.query;
    if (typeof path !== 'string' || !path.startsWith('/') || path.length > MAX_PATH || /[?#]/.test(path))
      return refuse(res, 400, 'The parameter page is the path of a page.');
    const { signal } = scopeOf(res);
    const reader = readerFor(site, res);
    let title: string | null = null;
    try {
      const page = await findPage(site, res, path, reader);
      title = page?.share?.card?.card.title ?? null;
      if (!page?.share?.card) return refuse(res, 404, 'There is no such card.');
      const found = await site.shareCards.get(page.share.card, signal);
      const isCurrent = page.share.card.version === version;
      const caching = fileCaching(surrogateKey(reader.tags, page.about), {
        maxAgeS: MAX_AGE_S,
        version: isCurrent ? 'unchanging' : 'other',
      });
      await sendStoredFile(res, found, headersOf(found.type, req.path), caching);
    } catch (error) {
      if (signal.aborted || res.headersSent) throw error;
      await sendDefaultPicture(site, req, res, error, title);
    }
  };
}

/** @returns the page under a path; null for a path without one, and for one that leads elsewhere. */
async function findPage(
  site: CardSite,
  res: Response,
  path: string,
  reader: ContentReader,
): Promise<LoadedPage | null> {
  const request = pageRequestOf(path);
  const match = matchRoute(site.routes, request.path);
  if (!match) return null;
  const { origin, log, signal } = scopeOf(res);
  const work = () => resolvePage(site, { request, match, reader, origin, log, signal });
  const resolved = await site.renderQueue.run(work, signal);
  return resolved.kind === 'page' ? resolved.page : null;
}

function refuse(res: Response, statusCode: 400 | 404, message: string): void {
  res.status(statusCode).set('Cache-Control', 'no-store').type('text/plain').send(message);
}
