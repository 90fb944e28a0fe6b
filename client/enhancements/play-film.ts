import { pressedLink } from '../navigation/route-links.ts';

/** The player may neither open this site's windows nor lead the visitor away. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox';

/** Replaces a film's picture by the player once it is pressed. No earlier request reaches the other site. */
export function startFilms(): void {
  document.addEventListener('click', event => {
    const link = pressedLink(event, '[data-frame]');
    const address = link?.dataset.frame;
    if (!link || !address) return;
    event.preventDefault();
    const frame = document.createElement('iframe');
    frame.allow = 'autoplay; fullscreen; encrypted-media; picture-in-picture';
    // Some players refuse a page that does not say where it is from.
    frame.referrerPolicy = 'strict-origin-when-cross-origin';
    frame.title = link.querySelector('span')?.textContent ?? '';
    frame.setAttribute('sandbox', SANDBOX);
    frame.src = address;
    // The link stays in the document, because React may own it.
    link.hidden = true;
    link.after(frame);
    frame.focus();
  });
}
