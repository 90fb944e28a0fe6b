import type { FieldState, PreviewNotes } from '../../shared/payload/preview-notes.ts';

const PANEL = '/admin';
/** The name of the browser tab in which all fields open. */
const TAB = 'site-panel';
/** The message with which `cms/src/site/panel/fields.mjs` sends its port. */
const CONNECTED = 'sitePanel';

export type FieldSource = Pick<Panel, 'open' | 'ask'>;

/** Strapi's panel: around the frame of the preview, or in another tab. */
export class Panel {
  readonly #origins: readonly string[];
  #port: MessagePort | null = null;

  /** @param origins the origins of the panel; tabs open the first one. */
  constructor(origins: readonly string[]) {
    this.#origins = origins;
    window.addEventListener('message', ({ source, origin, data, ports }) => {
      if (source === window.parent && origins.includes(origin) && data?.type === CONNECTED)
        this.#port = ports[0] ?? null;
    });
  }

  /** Opens a field, such as `articles:42.title`, in the panel around the frame, or else in one tab. */
  open(field: string, { types }: PreviewNotes): void {
    const { place, id, name } = placeOf(field, types) ?? {};
    if (place === undefined || name === undefined) return;
    const path = `/content-manager/${place}${id ? `/${id}` : ''}#field=${encodeURIComponent(name)}`;
    if (this.#port) this.#port.postMessage({ ask: 'open', path });
    else window.open(this.#origins[0] + PANEL + path, TAB);
  }

  /** @returns the panel's answer, or null without a panel around the frame that edits fields. */
  async ask(
    ask: 'read' | 'save' | 'choose' | 'restore',
    field: string,
    { types }: PreviewNotes,
    values: FieldState = {},
  ): Promise<FieldState | null> {
    const place = placeOf(field, types);
    if (!this.#port || !place) return null;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<MessageEvent>(resolve => {
      port1.onmessage = resolve;
    });
    this.#port.postMessage({ ask, ...place, ...values }, [port2]);
    // The cast is safe: our plugin in the panel sent the port. An older plugin answers undefined.
    return ((await answer).data as FieldState | undefined) ?? null;
  }
}

/** @returns the entry's place in the panel, its id (empty for a single type), and the field's name. */
function placeOf(field: string, types: PreviewNotes['types']) {
  const { type, id, name } = partsOf(field);
  const place = types[type];
  return place === undefined ? null : { place, id: place.startsWith('single') ? '' : id, name };
}

/** @returns the type, the id and the name of a field, such as `articles:42.title`. */
export function partsOf(field: string) {
  const [, type = '', id = '', name = ''] = /^([^:]+):([^.]*)\.(.+)$/.exec(field) ?? [];
  return { type, id, name };
}
