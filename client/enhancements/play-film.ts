import { element } from '../element.ts';
import { pressedLink } from '../navigation/route-links.ts';

const SANDBOX =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox';

/** Plays an embedded video when its link is pressed. The other site gets no request before that. */
export function startFilms(): void {
  document.addEventListener('click', event => {
    const link = pressedLink(event, '[data-frame]');
    const address = link?.dataset.frame;
    if (!link || !address) return;
    event.preventDefault();
    const frame = element('iframe', {
      allow: 'autoplay; fullscreen; encrypted-media; picture-in-picture',
      // Send the origin, because some players refuse a page without a referrer.
      referrerPolicy: 'strict-origin-when-cross-origin',
      title: link.querySelector('span')?.textContent ?? '',
      src: address,
    });
    frame.setAttribute('sandbox', SANDBOX);
    // Hide the link instead of removing it, because React may own it.
    link.hidden = true;
    link.after(frame);
    frame.focus();
  });
}
