import type { RequestHandler } from 'express';
import { scopeOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';

/** `/robots.txt` (RFC 9309): everything is open but payloads; with SITE_INDEXING=off nothing is. */
export function robots({ config }: Site): RequestHandler {
  return (_req, res) => {
    const lines = config.siteIndexing
      ? [
          'User-agent: *',
          'Disallow: /*_payload.json',
          'Disallow: /api/',
          '',
          `Sitemap: ${scopeOf(res).origin}/sitemap.xml`,
        ]
      : ['User-agent: *', 'Disallow: /'];
    res
      .set('Cache-Control', 'public, max-age=3600')
      .type('text/plain')
      .send(`${lines.join('\n')}\n`);
  };
}
