import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { SUGGESTIONS_PATH } from '../shared/payload/search-data.ts';
import { earlierBuilds } from './assets/serve-earlier-builds.ts';
import { builds } from './endpoints/builds.ts';
import { clientErrors } from './endpoints/client-errors.ts';
import { contentWebhook } from './endpoints/content-webhook.ts';
import { cspReports } from './endpoints/csp-reports.ts';
import { feeds } from './endpoints/feeds/feeds.ts';
import { preview } from './endpoints/preview.ts';
import { robots } from './endpoints/robots.ts';
import { searchLimit } from './endpoints/search-limit.ts';
import { searchSuggestions } from './endpoints/search-suggestions.ts';
import { SECURITY_TXT, securityTxt } from './endpoints/security-txt.ts';
import { shareCard } from './endpoints/share-card.ts';
import { sitemap } from './endpoints/sitemap.ts';
import { emailForms } from './forms/email-endpoint.ts';
import { subscribePages } from './forms/subscribe-pages.ts';
import { redirectToHttps } from './http/redirect-to-https.ts';
import { refuseRequest } from './http/refuse-request.ts';
import { rejectMalformedUrl } from './http/reject-malformed-url.ts';
import { requestDeadline } from './http/request-deadline.ts';
import { requireReading } from './http/require-reading.ts';
import { trustedProxies } from './http/served-hosts.ts';
import { setSecurityHeaders } from './http/set-security-headers.ts';
import { trackRequest } from './http/track-request.ts';
import { warnOfForwardedHeaders } from './http/warn-of-forwarded-headers.ts';
import { media } from './media/serve-media.ts';
import { images } from './media/serve-renditions.ts';
import { answerError } from './page/answer-error.ts';
import { answerPage } from './page/answer-page.ts';
import { hasRedirect } from './page/answer-redirect.ts';
import type { Site } from './site.ts';

/**
 * Creates the HTTP application: the steps of a request, in order. `request-listener.ts` opens each request, answers assets and cache hits
 * itself, and calls this application for all other requests.
 */
export function createApp(site: Site): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustedProxies(site.config));
  app.set('etag', 'weak');

  const steps: (RequestHandler | ErrorRequestHandler)[] = [
    setSecurityHeaders(site.securityHeaders),
    trackRequest(site),
    warnOfForwardedHeaders(site),
    refuseRequest,
    requestDeadline(site.requestDeadlineMs),
    rejectMalformedUrl,
    earlierBuilds(site, hasRedirect(site)),
    media(site, hasRedirect(site)),
    shareCard(site),
    images(site, hasRedirect(site)),
    builds(site),
    at('/robots.txt', robots(site.config)),
    at(SECURITY_TXT, securityTxt(site.config)),
    sitemap(site),
    feeds(site),
    searchLimit(),
    at(SUGGESTIONS_PATH, searchSuggestions(site)),
    compressedPosts(),
    clientErrors(site),
    cspReports(site),
    contentWebhook(site),
    preview(site),
    emailForms(site),
    subscribePages(site),
    requireReading,
    redirectToHttps(site),
    answerPage(site),
    answerError(site),
  ];
  for (const step of steps) app.use(step);
  return app;
}

/** Compresses the JSON answers to POST. `sendCompressed` does it for pages, because this package gives HEAD and 304 other headers than GET. */
function compressedPosts(): RequestHandler {
  const compress = compression();
  return (req, res, next) => (req.method === 'POST' ? compress(req, res, next) : next());
}

/** Limits a step to GET and HEAD of one address. */
function at(path: string, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.path !== path || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    return handler(req, res, next);
  };
}
