import { pressedLink } from './pressed-link.ts';

/** The rights of the other site's player in its frame. It can neither open this site's windows nor lead the visitor away. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox';

/** Puts the player in the place of a film's picture when it is pressed. Nothing is asked of the other site before. */
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
