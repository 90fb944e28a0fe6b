import type { PageLabels } from '../../shared/labels/labels.ts';
import styles from '../../shared/ui/large-picture.module.css';
import { element } from '../element.ts';
import { pressedLink } from '../navigation/route-links.ts';

/** The `sizes` of an enlarged picture. On a phone in portrait orientation, a 3:2 picture fills the height. */
const SIZES = '(orientation: portrait) and (width < 48rem) 150vh, 100vw';

export function startLargePictures(labels: PageLabels): void {
  document.addEventListener('click', event => {
    const link = pressedLink(event, '[data-large]');
    if (!link) return;
    event.preventDefault();
    open(link, labels);
  });
}

function open(first: HTMLAnchorElement, labels: PageLabels): void {
  const gallery = first.closest('[data-gallery]');
  const links = gallery ? [...gallery.querySelectorAll<HTMLAnchorElement>('[data-large]')] : [first];
  let index = links.indexOf(first);
  const bar = element('div', { className: styles.bar ?? '' });
  const place = element('div', { className: styles.place ?? '' });
  const caption = element('p', { className: styles.caption ?? '', ariaLive: 'polite' });
  const dialog = element('dialog', { className: styles.root ?? '' }, bar, place, caption);

  function button(words: string, onclick: () => void): HTMLButtonElement {
    return element('button', { type: 'button', className: styles.action ?? '', onclick }, words);
  }

  function show(step: number): void {
    index = (index + step + links.length) % links.length;
    const link = links[index];
    const figure = link?.closest('figure');
    const picture = link?.firstElementChild?.cloneNode(true);
    if (!link || !(picture instanceof Element)) return;
    const large = picture.matches('img') ? picture : picture.querySelector('img');
    const small = link.querySelector('img')?.currentSrc;
    if (large instanceof HTMLImageElement && small) {
      large.style.backgroundImage = `url("${CSS.escape(small)}")`;
      large.addEventListener('load', () => large.style.removeProperty('background-image'));
    }
    for (const part of [picture, ...picture.querySelectorAll('*')]) {
      part.removeAttribute('loading');
      if (part.hasAttribute('sizes')) part.setAttribute('sizes', SIZES);
    }
    place.replaceChildren(picture);
    caption.textContent = figure?.querySelector('figcaption')?.textContent ?? '';
    dialog.setAttribute('aria-label', link.querySelector('img')?.alt || labels.text('enlarge'));
  }

  const isGallery = links.length > 1;
  const steps = [
    ['lastPicture', -1],
    ['nextPicture', 1],
  ] as const;
  if (isGallery) bar.append(...steps.map(([name, step]) => button(labels.text(name), () => show(step))));
  bar.append(button(labels.text('closeMenu'), () => dialog.close()));
  dialog.addEventListener('keydown', ({ key }) => {
    const isForward = key === (getComputedStyle(dialog).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight');
    if (isGallery && (key === 'ArrowLeft' || key === 'ArrowRight')) show(isForward ? 1 : -1);
  });
  // Close on back and forward, because the dialog would hide the other page.
  const close = () => dialog.close();
  window.addEventListener('popstate', close);
  dialog.addEventListener('close', () => {
    window.removeEventListener('popstate', close);
    dialog.remove();
    links[index]?.focus();
  });
  show(0);
  document.body.append(dialog);
  dialog.showModal();
}
