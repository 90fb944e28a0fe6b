/**
 * Runs before the first paint, as a file of its own because inline scripts are forbidden. A classic script: it imports
 * nothing, and leaves no name behind for the scripts of the settings to stumble over.
 */

/** The chosen theme must not flash, and the curtain of a session's first page must be known of before anything is shown. */
try {
  const root = document.documentElement;
  const theme = localStorage.getItem('site:theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (!sessionStorage.getItem('site:visited')) {
    sessionStorage.setItem('site:visited', '1');
    root.dataset.visit = 'first';
  }
} catch {
  // Storage is refused: the system's theme, and no curtain.
}

/**
 * What makes the page alive is loaded once it can be seen: until then no script holds up the paint. The addresses are on
 * this script's element; a page without them stays as it is. By `import()`: the policy lets nobody write a script's address.
 */
{
  const { entry, chunks = '' } = document.currentScript?.dataset ?? {};
  let isStarted = false;
  const start = () => {
    if (isStarted || entry === undefined) return;
    isStarted = true;
    const hrefs = chunks.split(' ');
    // All at once, and not each when the one before has named it.
    for (const href of hrefs) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
    // The first is React's and the router's. Evaluated on its own: together with the page it would be one long task.
    const next = () => import(entry);
    void import(hrefs[0] ?? entry).then(next, next);
  };
  if (document.visibilityState === 'hidden') start();
  // The frame is out when its entry is.
  if (PerformanceObserver.supportedEntryTypes.includes('paint'))
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  // A tab that another one lies over may have no frames at all.
  setTimeout(start, 1_000);
}
