import type { PreviewNotes } from '../../shared/payload/preview-notes.ts';

/** Where Strapi serves its panel. */
const PANEL = '/admin';
/** The tab that shows each field after the other. */
const TAB = 'site-panel';

/** Opens a field, such as `articles:42.title`, in a tab of the panel. */
export type OpenInPanel = (field: string, notes: PreviewNotes) => void;

/** @param frameOrigins the origins of the panel; the first one is opened. */
export function panelLink([origin]: readonly string[]): OpenInPanel {
  return (field, { types }) => {
    const path = pathOf(field, types);
    if (path !== null) window.open(origin + PANEL + path, TAB);
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
