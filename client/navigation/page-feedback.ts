import { element } from '../element.ts';

/** How long a press belongs to a navigation after it, in ms. Back and Forward have no press. */
const PRESS_COUNTS_MS = 300;

export function startPressedLinks() {
  let pressed: { link: Element; at: number } | null = null;
  let marked: Element | null = null;
  const root = document.getElementById('root');
  document.addEventListener(
    'click',
    event => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      pressed = link && { link, at: performance.now() };
    },
    true,
  );
  return {
    mark() {
      root?.setAttribute('aria-busy', 'true');
      // Keep the indicator without a new press: usually, the navigation follows a redirect.
      if (!pressed || performance.now() - pressed.at > PRESS_COUNTS_MS) return;
      marked?.classList.remove('is-pending');
      marked = pressed.link;
      marked.classList.add('is-pending');
      pressed = null;
    },
    clear() {
      root?.removeAttribute('aria-busy');
      marked?.classList.remove('is-pending');
      marked = null;
    },
  };
}

/** Creates the live region before its first text, because readers often miss a text inserted with it. */
export function startAnnouncements(): (title: string) => void {
  const region = element('div', { className: 'el-visually-hidden', role: 'status' });
  document.body.append(region);
  return title => {
    region.textContent = title;
  };
}

const SHOW_AFTER_MS = 200;
const HIDE_AFTER_MS = 500;

/** Creates the loading bar outside React's root, so that no error of a page can leave it running. */
export function createLoadingIndicator() {
  const bar = element('div', { className: 'el-loading-indicator', ariaHidden: 'true' });
  document.body.append(bar);
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    start() {
      clearTimeout(timer);
      bar.classList.remove('is-done', 'is-active');
      timer = setTimeout(() => bar.classList.add('is-active'), SHOW_AFTER_MS);
    },
    finish() {
      clearTimeout(timer);
      if (!bar.classList.contains('is-active')) return;
      bar.classList.add('is-done');
      timer = setTimeout(() => bar.classList.remove('is-active', 'is-done'), HIDE_AFTER_MS);
    },
  };
}
