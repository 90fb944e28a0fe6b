import { pressedLink } from '../navigation/route-links.ts';

const SANDBOX =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox';

/** The other site gets no request before the press. */
export function startFilms(): void {
  document.addEventListener('click', event => {
    const link = pressedLink(event, '[data-frame]');
    const address = link?.dataset.frame;
    if (!link || !address) return;
    event.preventDefault();
    const frame = document.createElement('iframe');
    frame.allow = 'autoplay; fullscreen; encrypted-media; picture-in-picture';
    // Send the origin, because some players refuse a page without a referrer.
    frame.referrerPolicy = 'strict-origin-when-cross-origin';
    frame.title = link.querySelector('span')?.textContent ?? '';
    frame.setAttribute('sandbox', SANDBOX);
    frame.src = address;
    // Hide the link instead of removing it, because React may own it.
    link.hidden = true;
    link.after(frame);
    frame.focus();
  });
}
