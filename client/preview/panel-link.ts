import type { PreviewNotes } from '../../shared/payload/preview-notes.ts';

/** The messages between the page and the site's part of the panel (`cms/src/site/panel/fields.mjs`). */
const OPEN = 'siteField';
const OPENED = 'siteFieldOpened';
/** A panel without the site's part does not answer. Its field is then opened in a tab. */
const ANSWER_MS = 1_000;
/** Where Strapi serves its panel. */
const PANEL = '/admin';

/** Opens a field, such as `articles:42.title`, in the panel. */
export type OpenInPanel = (field: string, notes: PreviewNotes) => void;

/** @param frameOrigins the origins of the panel; the first one is opened in a tab. */
export function panelLink(frameOrigins: readonly string[]): OpenInPanel {
  const inTab = (path: string) => window.open(frameOrigins[0] + PANEL + path, 'site-panel');
  return (field, { types }) => {
    const path = pathOf(field, types);
    if (path === null) return;
    if (window.parent === window) {
      inTab(path);
      return;
    }
    const waiting = setTimeout(() => {
      removeEventListener('message', answered);
      inTab(path);
    }, ANSWER_MS);
    const answered = ({ source, origin, data }: MessageEvent) => {
      if (source !== window.parent || !frameOrigins.includes(origin) || data?.type !== OPENED) return;
      clearTimeout(waiting);
      removeEventListener('message', answered);
    };
    addEventListener('message', answered);
    for (const origin of frameOrigins) window.parent.postMessage({ type: OPEN, path }, origin);
  };
}

/** @returns the address inside the panel. Strapi's forms open the field that `field` names. */
function pathOf(field: string, types: PreviewNotes['types']): string | null {
  const [, type = '', id = '', name = ''] = /^([^:]+):([^.]*)\.(.+)$/.exec(field) ?? [];
  const place = types[type];
  if (place === undefined) return null;
  const entry = place.startsWith('single') ? '' : `/${id}`;
  return `/content-manager/${place}${entry}?field=${encodeURIComponent(name)}`;
}
