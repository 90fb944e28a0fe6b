import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { earlierBuilds } from './assets/serve-earlier-builds.ts';
import { builds } from './endpoints/builds.ts';
import { clientErrors } from './endpoints/client-errors.ts';
import { contentWebhook } from './endpoints/content-webhook.ts';
import { cspReports } from './endpoints/csp-reports.ts';
import { feed } from './endpoints/feed.ts';
import { robots } from './endpoints/robots.ts';
import { sitemap } from './endpoints/sitemap.ts';
import { emailForms } from './forms/email-endpoint.ts';
import { thankSender } from './forms/thank-sender.ts';
import { refuseRequest } from './http/refuse-request.ts';
import { rejectMalformedUrl } from './http/reject-malformed-url.ts';
import { requestDeadline } from './http/request-deadline.ts';
import { requireReading } from './http/require-reading.ts';
import { trustedProxies } from './http/served-hosts.ts';
import { setSecurityHeaders } from './http/set-security-headers.ts';
import { trackRequest } from './http/track-request.ts';
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
    refuseRequest,
    requestDeadline(site.requestDeadlineMs),
    rejectMalformedUrl,
    earlierBuilds(site, hasRedirect(site)),
    media(site, hasRedirect(site)),
    images(site, hasRedirect(site)),
    compression(),
    builds(site),
    at('/robots.txt', robots(site.config)),
    sitemap(site),
    at('/blog/feed.xml', feed(site)),
    clientErrors(),
    cspReports(),
    contentWebhook(site),
    emailForms(site),
    requireReading,
    thankSender(site),
    answerPage(site),
    answerError(site),
  ];
  for (const step of steps) app.use(step);
  return app;
}

/** Limits a step to GET and HEAD of one address. */
function at(path: string, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.path !== path || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    return handler(req, res, next);
  };
}
