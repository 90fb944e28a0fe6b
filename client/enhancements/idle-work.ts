import type { PageLabels } from '../../shared/labels/labels.ts';
import type { PageData } from '../../shared/payload/page-data.ts';
import type { Router } from '../../shared/routing/router.ts';
import { startLate } from '../when-idle.ts';
import { startCopying } from './copy-code.ts';
import { startScrollAreas } from './scroll-areas.ts';

/** Parts of texts (`rich-text/rich-parts.tsx`) with a script, and the chunk of each. */
const PARTS: Readonly<Record<string, (labels: PageLabels) => Promise<void>>> = {
  '.el-table-of-contents': async () => (await import('./current-section.ts')).startMarkingSections(),
  '[data-frame]': async () => (await import('./play-film.ts')).startFilms(),
  '[data-large]': async labels => (await import('./large-picture.ts')).startLargePictures(labels),
};

/** Starts what every page needs after hydration. It is one chunk, which costs one request. */
export function startIdleWork(
  router: Router,
  labels: PageLabels,
  { consent, preview, vitals }: PageData['config'],
): void {
  startScrollAreas();
  startCopying();
  startTextParts(labels);
  startDating();
  startSearch(router);
  if (consent) startLate(import('./scripts-consent.tsx'), it => it.askForScripts(consent, labels));
  if (vitals !== false && !preview) startLate(import('./vitals.ts'), it => it.startVitals(router));
}

function startDating(): void {
  window.addEventListener('beforeprint', () => {
    const { lang } = document.documentElement;
    document.head.dataset.date = new Date().toLocaleDateString(lang, { dateStyle: 'long' });
  });
}

/** Loads the script of each kind of part when a page first has such a part. */
function startTextParts(labels: PageLabels): void {
  const root = document.getElementById('root');
  const waiting = new Map(Object.entries(PARTS));

  function look(): void {
    for (const [selector, start] of waiting) {
      if (!document.querySelector(selector)) continue;
      waiting.delete(selector);
      // Retry on the next page. Until then the part is a link, or code that can be selected.
      start(labels).catch(() => waiting.set(selector, start));
    }
    if (waiting.size === 0) observer.disconnect();
  }

  const observer = new MutationObserver(look);
  if (root) observer.observe(root, { childList: true, subtree: true });
  look();
}

function startSearch(router: Router): void {
  const load = ({ target }: { target: EventTarget | null }) => {
    if (!(target instanceof HTMLInputElement && target.dataset.suggest === '')) return;
    document.removeEventListener('focusin', load);
    import('./search-suggestions.ts').then(
      it => it.startSuggestions(router, target),
      // Retry at the next focus. The form works without this script.
      () => document.addEventListener('focusin', load),
    );
  };
  document.addEventListener('focusin', load);
  load({ target: document.activeElement });
}
