import type { createBrowserRouter } from '../../shared/routing/router.ts';

/** The messages between Strapi 5 and the page in its frame. */
const READY = 'previewReady';
const UPDATE = 'strapiUpdate';

/** Follows the editor's changes. Only the CMS's origins, `frameOrigins`, learn of the preview. */
export function startPreview(
  router: Pick<ReturnType<typeof createBrowserRouter>, 'revalidate' | 'subscribe'>,
  frameOrigins: readonly string[],
): void {
  const exit = document.querySelector<HTMLAnchorElement>('#preview-bar a');
  router.subscribe(({ location: { pathname, search } }) => {
    exit?.setAttribute('href', `/api/preview/exit?url=${encodeURIComponent(pathname + search)}`);
  });
  if (window.parent === window) return;
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source === window.parent && frameOrigins.includes(origin) && data?.type === UPDATE)
      void router.revalidate();
  });
  // Post to all origins. The browser drops messages for origins that the frame does not have.
  for (const origin of frameOrigins) window.parent.postMessage({ type: READY }, origin);
}
