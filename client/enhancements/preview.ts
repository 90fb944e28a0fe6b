import { type PageData, ROOT_ID } from '../../shared/payload/page-data.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { PlannedChange, PreviewNotes } from '../../shared/payload/preview-notes.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import type { Router } from '../../shared/routing/router.ts';
import { element } from '../element.ts';
import { routeOnScreen } from '../navigation/page-state.ts';
import { createComparison } from '../preview/comparison.ts';
import { EditMode } from '../preview/edit-mode.ts';
import { showFields } from '../preview/fields.ts';
import { contentFiles } from '../preview/files.ts';
import { InlineEditor } from '../preview/inline-editor.ts';
import { Panel } from '../preview/panel.ts';
import { createReport } from '../preview/report.ts';

/** The messages between Strapi 5 and the page in its frame. */
const READY = 'previewReady';
const UPDATE = 'strapiUpdate';

/** Shows the editor's changes. Sends messages only to the CMS's origins, `frameOrigins`. */
export function startPreview(
  router: Pick<Router, 'revalidate' | 'subscribe' | 'state'>,
  { status, frameOrigins, editsFiles }: NonNullable<PageData['config']['preview']>,
): void {
  const exit = document.querySelector<HTMLAnchorElement>('#preview-bar > a');
  const firstPath = location.pathname;
  router.subscribe(({ location: { pathname, search } }) => {
    exit?.setAttribute('href', `/api/preview/exit?url=${encodeURIComponent(pathname + search)}`);
    // Remove the links, which are about the entry of the first page.
    if (pathname !== firstPath) document.querySelector('#preview-links')?.remove();
    const asked = document.querySelector<HTMLInputElement>('#preview-plan [name="url"]');
    if (asked) asked.value = pathname + search;
  });
  const plan = document.querySelector<HTMLDetailsElement>('#preview-plan');
  plan?.addEventListener('toggle', () => void fillCalendar(plan), { once: true });
  const root = document.getElementById(ROOT_ID);
  const payload = (): PagePayload | undefined => router.state.loaderData[routeOnScreen(router.state)];
  const notes = () => payload()?.preview;
  // Without an origin the address of the panel is unknown.
  const panel = status !== 'published' && frameOrigins.length > 0 ? new Panel(frameOrigins) : null;
  const note = element('span');
  const fields = editsFiles ? contentFiles(words => note.replaceChildren(` · ${words}`)) : panel;
  const editor =
    status === 'draft' && fields ? new InlineEditor(fields, note, () => void router.revalidate()) : null;
  const editing =
    root && editor
      ? new EditMode(root, notes, (element, field, known) => void editor.press(element, field, known))
      : null;
  if (editing && editor) exit?.before(editing.button, note, ' · ');
  const open = (field: string) => {
    const known = notes();
    if (known) void fields?.open(field, known);
  };
  const report = createReport(payload, editing && open);
  exit?.after(' · ', report);
  if (status === 'past') report.after(' ', createComparison(payloadAt, panel));
  if (root) showFields(root, notes, () => editing?.update());
  if (window.parent === window) return;
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source === window.parent && frameOrigins.includes(origin) && data?.type === UPDATE)
      void router.revalidate();
  });
  // Post to all origins. The browser drops messages for origins that the frame does not have.
  for (const origin of frameOrigins) window.parent.postMessage({ type: READY }, origin);
}

async function payloadAt(headers: Readonly<Record<string, string>>): Promise<PreviewNotes | null> {
  const address = payloadAddress(location.pathname, location.search, '');
  const answer = await fetch(address, { headers: { Accept: 'application/json', ...headers } }).catch(
    () => null,
  );
  // The payload is an error without notes if the page did not exist at that time.
  return ((await answer?.json().catch(() => null)) as PagePayload | null)?.preview ?? null;
}

async function fillCalendar(plan: HTMLElement): Promise<void> {
  const answer = await fetch('/api/preview/plan').catch(() => null);
  const changes = answer?.ok ? ((await answer.json()) as PlannedChange[]) : [];
  const rows = changes.map(({ at, kind, type, title }) => {
    const url = encodeURIComponent(location.pathname + location.search);
    const href = `/api/preview/moment?at=${at}&url=${url}`;
    const link = element('a', { href }, at.replace('T', ', '));
    link.dataset.fullLoad = '';
    return element('li', {}, link, ` ${type} “${title}” ${kind}`);
  });
  plan.querySelector('ol')?.replaceChildren(...(rows.length > 0 ? rows : ['Nothing is planned.']));
}
