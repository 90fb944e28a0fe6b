import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';
import { scopeOf } from '../http/request-scope.ts';

/**
 * `/robots.txt` (RFC 9309) disallows payloads and the API, and names the sitemap of a host that has one; with SITE_INDEXING=off it disallows
 * all addresses. On a host without an origin crawlers may read the pages, which say `noindex`.
 */
export function robots({ siteIndexing }: Pick<Config, 'siteIndexing'>): RequestHandler {
  return (_req, res) => {
    const { origin } = scopeOf(res);
    const lines = siteIndexing
      ? [
          'User-agent: *',
          'Disallow: /*_payload.json',
          'Disallow: /api/',
          ...(origin === null ? [] : ['', `Sitemap: ${origin}/sitemap.xml`]),
        ]
      : ['User-agent: *', 'Disallow: /'];
    res
      .set('Cache-Control', `${origin === null ? 'private' : 'public'}, max-age=3600`)
      .type('text/plain')
      .send(`${lines.join('\n')}\n`);
  };
}
