import type { BackendClient } from '../backend/backend-client.ts';
import type { Config } from '../config.ts';
import type { Ask } from './ask.ts';
import { askSite, siteAddress } from './ask-site.ts';
import { DRAFTS } from './check-drafts.ts';
import type { Finding } from './finding.ts';

export interface PreviewOptions {
  readonly config: Pick<
    Config,
    'preview' | 'contentToken' | 'contentPublicUrl' | 'publicOrigin' | 'port' | 'contentTimeoutMs'
  >;
  readonly baseUrl: string;
  readonly ask: Ask;
  /** A client with PREVIEW_TOKEN; null without a preview. */
  readonly previewer: BackendClient | null;
  readonly version: 4 | 5;
  /** Whether the running site is asked, too. */
  readonly asksSite: boolean;
}

/** Looks whether the token of the preview can read drafts, whether the site opens a preview, and whether the panel may show it in a frame. */
export async function checkPreview(options: PreviewOptions): Promise<Finding[]> {
  const { config, baseUrl, ask, previewer, version, asksSite } = options;
  if (!config.preview || !previewer) return [];
  const { token, secret, frameOrigins } = config.preview;
  const common = {
    severity: 'warning',
    about: 'preview',
    pages: 'none: the preview of editors alone',
    isLogged: false,
  } as const;
  const findings: Finding[] = [];
  if (token === config.contentToken)
    findings.push({
      ...common,
      what: 'PREVIEW_TOKEN is the same as CONTENT_TOKEN, so the token of the public site reads drafts',
      remedy: 'Strapi: Settings → API Tokens → Create new API Token for the preview; set PREVIEW_TOKEN to it',
    });
  const { error } = await ask.json(`/api/pages?${DRAFTS[version]}&pagination[pageSize]=1`, previewer);
  if (error && error.status !== 404)
    findings.push({
      ...common,
      what: `PREVIEW_TOKEN cannot read drafts (${error.reason})`,
      remedy:
        'Strapi: Settings → API Tokens → the token of the preview: find and findOne of every type; set PREVIEW_TOKEN to it',
    });
  const panel = new URL(config.contentPublicUrl ?? baseUrl).origin;
  if (!frameOrigins.includes(panel))
    findings.push({
      ...common,
      what: `the panel at ${panel} may not show the preview in its frame`,
      remedy: `add ${panel} to PREVIEW_FRAME_ORIGINS and restart the site`,
    });
  if (!asksSite) return findings;
  const address = `${siteAddress(config)}/api/preview`;
  const { status, reason } = await askSite(
    config,
    `${address}?url=/&status=draft&secret=${encodeURIComponent(secret)}`,
  );
  if (status !== 307)
    findings.push({
      ...common,
      what: `the site does not open a preview at ${address} (${reason})`,
      remedy:
        status === 401
          ? 'start site and CMS with the same PREVIEW_SECRET'
          : 'start the site with PREVIEW_SECRET and PREVIEW_TOKEN; let proxies pass /api/preview on',
    });
  return findings;
}
