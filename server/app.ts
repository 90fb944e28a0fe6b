import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import { EDIT_PATH } from '../shared/payload/preview-notes.ts';
import { SUGGESTIONS_PATH } from '../shared/payload/search-data.ts';
import { serveEarlierBuilds } from './assets/earlier-builds.ts';
import type { CreatedSite } from './create-site.ts';
import { clientErrors, cspReports } from './endpoints/browser-reports.ts';
import { contentWebhook, WEBHOOK_PATH } from './endpoints/content-webhook.ts';
import { FEED_PATHS, feeds } from './endpoints/feeds/feeds.ts';
import {
  llmsTxt,
  MARKDOWN_PATHS,
  markdownPages,
  sendToMarkdown,
} from './endpoints/markdown/markdown-pages.ts';
import { EXIT_PATH, MOMENT_PATH, PLAN_PATH, PREVIEW_PATH, preview } from './endpoints/preview.ts';
import { previewEdit } from './endpoints/preview-edit.ts';
import { PROBLEMS_PATH, siteProblems } from './endpoints/problems.ts';
import { robots } from './endpoints/robots.ts';
import { SEARCH_PATHS, searchLimit, searchSuggestions } from './endpoints/search.ts';
import { SHARE_CARD_PATHS, shareCard } from './endpoints/share-card.ts';
import {
  accentStylesheet,
  buildChunks,
  latestBuild,
  SECURITY_TXT,
  securityTxt,
} from './endpoints/site-files.ts';
import { SITEMAP_PART, sitemap, sitemapPart } from './endpoints/sitemap.ts';
import { emailForms } from './forms/email-endpoint.ts';
import { keepTokenPrivate, SUBSCRIBE_PATHS, subscribePages } from './forms/subscribe-pages.ts';
import { requestDeadline } from './http/limits/request-deadline.ts';
import { refuseOtherMethods } from './http/request/refuse-request.ts';
import { scopeOf } from './http/request/request-scope.ts';
import { trackRequest } from './http/request/track-request.ts';
import { REPORT_PATH } from './http/security/content-security-policy.ts';
import { redirectToHttps } from './http/security/redirect-to-https.ts';
import { setSecurityHeaders } from './http/security/security-headers.ts';
import { trustedProxies } from './http/security/served-hosts.ts';
import { images } from './media/renditions/serve-renditions.ts';
import { media } from './media/serve-media.ts';
import type { FixedRoute } from './ops/metrics/metric-table.ts';
import { answerError } from './page/answer-error.ts';
import { answerPage } from './page/answer-page.ts';
import { hasRedirect } from './page/answer-redirect.ts';

/** Sets the route's name for metrics and log entries. If a page answers instead, it sets its own name. */
const as =
  (name: FixedRoute): RequestHandler =>
  (_req, res, next) => {
    scopeOf(res).trace.route = name;
    next();
  };

/** The table of routes. `request-listener.ts` answers assets, cache hits and refused requests before it. */
export function createApp(parts: CreatedSite): Express {
  const { config } = parts;
  const redirected = hasRedirect(parts);
  const toHttps = redirectToHttps(parts);
  const subscribe = subscribePages(parts);
  const app = express();
  app.disable('x-powered-by');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustedProxies(config));
  app.set('etag', 'weak');

  app.use(setSecurityHeaders(parts.securityHeaders));
  app.use(trackRequest(parts));
  app.use(requestDeadline(parts.requestDeadlineMs));

  // Express answers HEAD with the handlers of `get`, too. A missing file's address may have a redirect, so
  // `serveEarlierBuilds` passes the request on to the page.
  app.get('/assets/{*file}', as('asset'), serveEarlierBuilds(parts, redirected));
  app.get('/uploads/{*file}', as('media'), media(parts, redirected));
  app.get(SHARE_CARD_PATHS, as('media'), shareCard(parts));
  app.get('/images/{*file}', as('media'), images(parts, redirected));
  app.get('/builds/latest.json', as('file'), latestBuild(parts));
  app.get('/builds/meta/:file', as('file'), buildChunks(parts));
  // Use `&&`: a production build drops this whole statement, but would keep the `if` of a false condition.
  __DEV__ &&
    app.get('/styleguide{/:name}', as('file'), async (req, res) => {
      const { answerStyleguide } = await import('./endpoints/styleguide.tsx');
      await answerStyleguide(parts, req, res);
    });
  app.get('/accent/:file', as('file'), accentStylesheet());
  app.get('/robots.txt', as('file'), robots(parts));
  app.get(SECURITY_TXT, as('file'), securityTxt(parts));
  app.get('/sitemap.xml', as('sitemap'), sitemap(parts));
  app.get(SITEMAP_PART, as('sitemap'), sitemapPart(parts));
  app.get(FEED_PATHS, as('feed'), feeds(parts));
  app.get('/llms.txt', as('markdown'), llmsTxt(parts));
  app.get(MARKDOWN_PATHS, as('markdown'), markdownPages(parts, redirected));
  app.get(SEARCH_PATHS, as('search'), searchLimit());
  app.get(SUGGESTIONS_PATH, searchSuggestions(parts));
  if (parts.preview)
    app.get([PREVIEW_PATH, EXIT_PATH, MOMENT_PATH, PLAN_PATH], as('preview'), preview(parts));

  if (config.problemsToken) app.get(PROBLEMS_PATH, as('report'), siteProblems(parts));

  // Compress JSON. Pages compress themselves: this package gives HEAD and 304 other headers than GET.
  app.post('/{*path}', compression());
  app.post('/client-errors', as('report'), clientErrors(parts));
  if (parts.vitals) app.post('/vitals', as('report'), parts.vitals.handlers());
  app.post(REPORT_PATH, as('report'), cspReports(parts));
  if (parts.preview?.edit)
    app.post(EDIT_PATH, as('preview'), previewEdit(parts.preview.cookie, parts.preview.edit));
  if (config.webhookSecret) app.post(WEBHOOK_PATH, as('webhook'), contentWebhook(parts));
  app.post('/api/email/send', as('form'), emailForms(parts));
  app.all('/api/email/send', refuseOtherMethods('POST', 'onlyForms'));

  app.all(SUBSCRIBE_PATHS, keepTokenPrivate);
  app.get(SUBSCRIBE_PATHS, toHttps, subscribe.show);
  app.post(SUBSCRIBE_PATHS, subscribe.press);
  app.all(SUBSCRIBE_PATHS, refuseOtherMethods('GET, HEAD, POST', 'onlyForms'));

  app.get('/{*path}', toHttps, sendToMarkdown(parts), answerPage(parts));
  app.all('/{*path}', refuseOtherMethods('GET, HEAD', 'onlyReading'));
  app.use(answerError(parts));
  return app;
}
