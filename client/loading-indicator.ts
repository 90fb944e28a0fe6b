/** Shown only when a navigation takes longer than this, in ms. */
const SHOW_AFTER_MS = 200;
/** Hidden this long after the end. */
const HIDE_AFTER_MS = 500;

export interface LoadingIndicator {
  start(): void;
  finish(): void;
}

/**
 * A bar at the top of the window; `shared/styles/navigation.css` has its 3 px and the 2,000 ms over which it nears its
 * end. It stands outside of React's root, so that no error of a page can leave it running.
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
