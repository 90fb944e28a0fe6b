import type { createBrowserRouter } from 'react-router-dom';

/** The messages between the CMS and the page in its frame, as Strapi 5 defines them. */
const READY = 'previewReady';
const UPDATE = 'strapiUpdate';

/**
 * Follows the editor's changes while the CMS shows the page in a frame, and keeps the address of the bar's link current.
 *
 * @param frameOrigins the origins of the CMS. Messages from others are ignored, and no other learns of the preview.
 */
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
  // The browser delivers the message to the origin that the frame has, and drops the others.
  for (const origin of frameOrigins) window.parent.postMessage({ type: READY }, origin);
}
