import type { RequestHandler } from 'express';
import type { Settings } from '../../shared/content/settings.ts';
import type { Config } from '../config/config.ts';
import { type ReaderParts, readerFor } from '../content/reading/reader-for-request.ts';
import { scopeOf } from '../http/request/request-scope.ts';

/**
 * Purposes that operators can refuse. `signal` is the purpose in `Content-Signal` (contentsignals.org).
 * `agents` are crawlers for this purpose only, as documented in November 2026. A search engine's crawler has
 * several purposes: only SITE_INDEXING=off refuses it.
 */
const PURPOSES = [
  {
    setting: 'refuseAiSearch',
    signal: 'search',
    agents: ['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Amzn-SearchBot'],
  },
  {
    setting: 'refuseAiTraining',
    signal: 'ai-train',
    agents: [
      ...['GPTBot', 'ClaudeBot', 'Google-Extended', 'Applebot-Extended', 'CCBot', 'meta-externalagent'],
      ...['Bytespider', 'Amazonbot', 'cohere-training-data-crawler'],
    ],
  },
  {
    setting: 'refuseAiAnswers',
    signal: 'ai-input',
    agents: ['ChatGPT-User', 'Claude-User', 'Perplexity-User', 'MistralAI-User', 'meta-externalfetcher'],
  },
] as const;

interface RobotsParts extends ReaderParts {
  readonly config: Pick<Config, 'siteIndexing'>;
}

/** Serves robots.txt (RFC 9309). Without an origin, crawlers may read the pages, which say `noindex`. */
export function robots(parts: RobotsParts): RequestHandler {
  return (_req, res) => {
    const { origin } = scopeOf(res);
    const lines = parts.config.siteIndexing
      ? [
          'User-agent: *',
          'Disallow: /*_payload.json',
          'Disallow: /api/',
          ...refusals(readerFor(parts, res).cachedSettings()),
          ...(origin === null ? [] : ['', `Sitemap: ${origin}/sitemap.xml`]),
        ]
      : ['User-agent: *', 'Disallow: /'];
    res
      .set('Cache-Control', `${origin === null ? 'private' : 'public'}, max-age=3600`)
      .type('text/plain')
      .send(`${lines.join('\n')}\n`);
  };
}

function refusals(settings: Settings | null): string[] {
  const refused = PURPOSES.filter(({ setting }) => settings?.[setting]);
  if (refused.length === 0) return [];
  const signals = PURPOSES.map(({ setting, signal }) => `${signal}=${settings?.[setting] ? 'no' : 'yes'}`);
  const agents = refused.flatMap(purpose => purpose.agents.map(agent => `User-agent: ${agent}`));
  return [`Content-Signal: ${signals.join(', ')}`, '', ...agents, 'Disallow: /'];
}
