import type { PageLabels } from '../shared/labels/labels.ts';
import { startScrollAreas } from './scroll-areas.ts';
import type { createSiteRouter } from './site-router.tsx';
import { startTextParts } from './text-parts.ts';

type Router = Awaited<ReturnType<typeof createSiteRouter>>;

/**
 * The work of every page that can wait until the browser is idle. It is one chunk, so that it is one request.
 *
 * @param consentScripts scripts that wait for the visitor's consent.
 */
export function startIdleWork(
  router: Router,
  labels: PageLabels,
  consentScripts: readonly string[] | undefined,
): void {
  startScrollAreas();
  startTextParts(labels);
  startSearch(router);
  if (consentScripts)
    import('./scripts-consent.tsx').then(
      it => it.askForScripts(consentScripts, labels),
      () => {},
    );
}

/** Loads the suggestions of the search when its field gets the focus. */
function startSearch(router: Router): void {
  const load = ({ target }: { target: EventTarget | null }) => {
    if (!(target instanceof HTMLInputElement && target.dataset.suggest === '')) return;
    document.removeEventListener('focusin', load);
    import('./search-suggestions.ts').then(
      it => it.startSuggestions(router, target),
      // The next focus tries again. The form works without it.
      () => document.addEventListener('focusin', load),
    );
  };
  document.addEventListener('focusin', load);
  load({ target: document.activeElement });
}
