/** Starts an optional module. If it fails to load, the page works without it. */
export function startLate<Module>(loading: Promise<Module>, start: (module: Module) => void): void {
  loading.then(start, () => {});
}

/** Runs work when the browser is idle. Safari lacks `requestIdleCallback`. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else setTimeout(work, 200);
}
