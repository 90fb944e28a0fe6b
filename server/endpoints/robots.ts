import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';
import { scopeOf } from '../http/request-scope.ts';

/** `/robots.txt` (RFC 9309) disallows payloads and the API; with SITE_INDEXING=off it disallows all addresses. */
export function robots({ siteIndexing }: Pick<Config, 'siteIndexing'>): RequestHandler {
  return (_req, res) => {
    const lines = siteIndexing
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
