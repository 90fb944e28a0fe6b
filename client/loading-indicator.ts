/** The bar appears when a navigation takes longer than this, in ms. */
const SHOW_AFTER_MS = 200;
/** The bar disappears this long after the navigation's end, in ms. */
const HIDE_AFTER_MS = 500;

export interface LoadingIndicator {
  start(): void;
  finish(): void;
}

/**
 * Creates the loading bar at the top of the window. `shared/styles/navigation.css` sets its height and its animation. The
 * bar is outside React's root, so that no error of a page can leave it running.
 */
export function createLoadingIndicator(): LoadingIndicator {
  const bar = document.createElement('div');
  bar.className = 'el-loading-indicator';
  bar.setAttribute('aria-hidden', 'true');
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
