import { MARK, type PreviewNotes } from '../../shared/payload/preview-notes.ts';

export const FIELD = 'data-field';

/** Adds the name of its field to each text and picture. Calls `onChange` after each change of the page. */
export function showFields(root: Element, notes: () => PreviewNotes | undefined, onChange: () => void): void {
  const observer = new MutationObserver(records => {
    look(records.flatMap(({ target, addedNodes }) => [target, ...addedNodes]));
    // Drop the records of the changes above.
    observer.takeRecords();
  });
  const look = (nodes: readonly Node[]) => {
    const { fields = {}, dates = {} } = notes() ?? {};
    for (const node of nodes) nameFields(node, fields);
    for (const time of root.querySelectorAll(`time:not([${FIELD}])`)) nameDate(time, dates);
    onChange();
  };
  look([root]);
  observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
}

function nameFields(top: Node, fields: PreviewNotes['fields']): void {
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node: Node | null = top; node; node = walker.nextNode()) {
    if (node instanceof Element) nameElement(node, fields);
    if (!(node instanceof Text)) continue;
    const [mark] = node.data.match(MARK) ?? [];
    if (mark === undefined) continue;
    node.data = node.data.replace(MARK, '');
    name(node.parentElement, fields[mark]);
  }
}

/** Finds a date's field by the nearest entry with a date: unlike texts, dates contain no invisible mark. */
function nameDate(time: Element, dates: PreviewNotes['dates']): void {
  const entries = Object.keys(dates).map(type => `[${FIELD}^="${type}:"]`);
  for (let around = time.parentElement; around; around = around.parentElement) {
    const near = entries.length > 0 ? around.querySelector(entries.join()) : null;
    const [entry = '', type = ''] = /^(.+?):[^.]*/.exec(near?.getAttribute(FIELD) ?? '') ?? [];
    if (!near) continue;
    name(time, `${entry}.${dates[type]}`);
    return;
  }
}

function nameElement(element: Element, fields: PreviewNotes['fields']): void {
  for (const attribute of element.attributes)
    if (attribute.value.search(MARK) >= 0) attribute.value = attribute.value.replace(MARK, '');
  if (element instanceof HTMLImageElement && !element.hasAttribute(FIELD))
    name(element, fields[element.getAttribute('src') ?? '']);
}

function name(element: Element | null, field: string | undefined): void {
  if (field !== undefined) element?.setAttribute(FIELD, field);
}

/** @returns the element whose field was pressed. For a link to a heading, it is that of the heading. */
export function ownerOf(target: Element): Element | null {
  const control = target.closest('a, button, summary');
  const hash = control?.getAttribute('href')?.match(/^#(.+)/)?.[1];
  const heading = hash === undefined ? null : document.getElementById(decodeURIComponent(hash));
  return (
    target.closest(`[${FIELD}]`) ??
    control?.querySelector(`[${FIELD}]`) ??
    heading?.closest(`[${FIELD}]`) ??
    null
  );
}
