import { type PageData, ROOT_ID } from '../../shared/payload/page-data.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { createBrowserRouter } from '../../shared/routing/router.ts';
import { routeOnScreen } from '../navigation/page-state.ts';
import { EditMode } from '../preview/edit-mode.ts';
import { showFields } from '../preview/fields.ts';
import { panelLink } from '../preview/panel-link.ts';
import { createReport } from '../preview/report.ts';

/** The messages between Strapi 5 and the page in its frame. */
const READY = 'previewReady';
const UPDATE = 'strapiUpdate';

/** Follows the editor's changes. Only the CMS's origins, `frameOrigins`, learn of the preview. */
export function startPreview(
  router: Pick<ReturnType<typeof createBrowserRouter>, 'revalidate' | 'subscribe' | 'state'>,
  { status, frameOrigins }: NonNullable<PageData['config']['preview']>,
): void {
  const exit = document.querySelector<HTMLAnchorElement>('#preview-bar > a');
  const firstPath = location.pathname;
  router.subscribe(({ location: { pathname, search } }) => {
    exit?.setAttribute('href', `/api/preview/exit?url=${encodeURIComponent(pathname + search)}`);
    // The note is about the entry of the first page.
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
  const editing =
    root && status === 'draft' && frameOrigins.length > 0
      ? new EditMode(root, notes, panelLink(frameOrigins))
      : null;
  if (editing) exit?.before(editing.button, ' · ');
  const open = (field: string) => {
    const known = notes();
    if (known) panelLink(frameOrigins)(field, known);
  };
  const report = createReport(() => document.querySelector('main'), payload, editing && open);
  exit?.after(' · ', report);
  if (root) showFields(root, notes, () => editing?.update());
  if (window.parent === window) return;
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source === window.parent && frameOrigins.includes(origin) && data?.type === UPDATE)
      void router.revalidate();
  });
  // Post to all origins. The browser drops messages for origins that the frame does not have.
  for (const origin of frameOrigins) window.parent.postMessage({ type: READY }, origin);
}

/** Lists what dates will change, each with a link to the site of that moment. */
async function fillCalendar(plan: HTMLElement): Promise<void> {
  const answer = await fetch('/api/preview/plan').catch(() => null);
  const changes = answer?.ok ? ((await answer.json()) as PlannedChange[]) : [];
  const rows = changes.map(({ at, kind, type, title }) => {
    const link = document.createElement('a');
    const url = encodeURIComponent(location.pathname + location.search);
    link.href = `/api/preview/moment?at=${at}&url=${url}`;
    link.dataset.fullLoad = '';
    link.textContent = at.replace('T', ', ');
    const row = document.createElement('li');
    row.append(link, ` ${type} “${title}” ${kind}`);
    return row;
  });
  plan.querySelector('ol')?.replaceChildren(...(rows.length > 0 ? rows : ['Nothing is planned.']));
}

interface PlannedChange {
  readonly at: string;
  readonly kind: 'appears' | 'ends';
  readonly type: string;
  readonly title: string;
}
