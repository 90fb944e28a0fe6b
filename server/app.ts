import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { builds } from './endpoints/builds.ts';
import { clientErrors } from './endpoints/client-errors.ts';
import { contentWebhook } from './endpoints/content-webhook.ts';
import { emailForms } from './endpoints/email.ts';
import { feed } from './endpoints/feed.ts';
import { robots } from './endpoints/robots.ts';
import { sitemap } from './endpoints/sitemap.ts';
import type { Site } from './site.ts';
import { answerError } from './steps/answer-error.ts';
import { answerPage } from './steps/answer-page.ts';
import { keptAssets } from './steps/kept-assets.ts';
import { media } from './steps/media.ts';
import { pageRequest } from './steps/page-request.ts';
import { rejectMalformedUrl } from './steps/reject-malformed-url.ts';
import { requestScope } from './steps/request-scope.ts';
import { securityHeaders } from './steps/security-headers.ts';

/**
 * The site's HTTP application: the steps of a request, in their order. A page that is stored is answered before them, by
 * `request-listener.ts`; a page that is not goes on through the steps of `page/resolve-page.ts`.
 */
export function createApp(site: Site): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', site.config.trustProxy);
  app.set('etag', 'weak');

  const steps: (RequestHandler | ErrorRequestHandler)[] = [
    securityHeaders(site),
    requestScope(site),
    rejectMalformedUrl,
    keptAssets(site),
    media(site),
    compression(),
    builds(site),
    at('/robots.txt', robots(site)),
    at('/sitemap.xml', sitemap(site)),
    at('/blog/feed.xml', feed(site)),
    clientErrors(),
    contentWebhook(site),
    emailForms(site),
    pageRequest,
    answerPage(site),
    answerError(site),
  ];
  for (const step of steps) app.use(step);
  return app;
}

/** A step for one address, reading only. */
function at(path: string, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.path !== path || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    return handler(req, res, next);
  };
}
