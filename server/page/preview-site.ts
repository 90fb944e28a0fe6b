import { framedBy } from '../http/content-security-policy.ts';
import type { PreviewStatus } from '../http/preview-cookie.ts';
import { createSettingsInDocument } from '../render/settings-in-document.ts';
import type { Site } from '../site.ts';
import type { Preview } from './preview.ts';
import { createRedirectLoader } from './redirect-table.ts';

/**
 * @param signal the request's.
 * @returns the parts of the site for one answer in a preview. Parts that remember anything of the content are new ones: they end with the
 *   answer, and the public parts never learn of it.
 */
export function previewSite<S extends PublicParts>(
  site: S,
  preview: Preview,
  status: PreviewStatus,
  signal: AbortSignal,
): S {
  const { config, manifest } = site;
  const { frameOrigins = [] } = config.preview ?? {};
  const readSettings = createSettingsInDocument(config);
  return {
    ...site,
    content: preview.openContent(status, signal),
    renderPage: preview.createRenderer(),
    settingsInDocument(...about) {
      const found = readSettings(...about);
      return { ...found, policy: found.policy && framedBy(found.policy, frameOrigins) };
    },
    errorPages: (html, render) => render(html),
    // A preview loads all that it needs. The public content may not have been published yet.
    startUp: { ...site.startUp, ready: true },
    loadRedirects: createRedirectLoader(),
    nearestPages: () => [],
    // Problems of drafts are not reported: the editor is not done.
    problems: { ...site.problems, replace: () => {} },
    // A browser that gets a payload of another build loads the page in full. So it shows the bar on drafts, and on nothing else.
    manifest: { ...manifest, id: `${manifest.id}.${status}` },
    shownPreview: { status, buildId: manifest.id, frameOrigins },
  };
}

type PublicParts = Pick<
  Site,
  | 'config'
  | 'manifest'
  | 'content'
  | 'renderPage'
  | 'settingsInDocument'
  | 'startUp'
  | 'errorPages'
  | 'loadRedirects'
  | 'nearestPages'
  | 'problems'
  | 'shownPreview'
>;
