/**
 * Runs before the first paint. The script is a file, because the security policy forbids inline scripts. It is a classic
 * script, because browsers defer modules. It imports nothing and declares no global name, so that it cannot collide with a
 * script that the settings add.
 */

/** Sets the theme and marks a session's first visit before the first paint. Otherwise the page would flash in the wrong theme or without its initial overlay. */
try {
  const root = document.documentElement;
  const theme = localStorage.getItem('site:theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (!sessionStorage.getItem('site:visited')) {
    sessionStorage.setItem('site:visited', '1');
    root.dataset.visit = 'first';
  }
} catch {
  // The browser denies storage: the page has the system's theme and no initial overlay.
}

/**
 * Loads the scripts that hydrate the page after the first paint, so that none delays it. Their addresses are attributes of
 * this script's element; a page without them is not hydrated. `import()` loads them, because Trusted Types forbid setting
 * the `src` of a script element.
 */
{
  const { entry, chunks = '' } = document.currentScript?.dataset ?? {};
  let isStarted = false;
  const start = () => {
    if (isStarted || entry === undefined) return;
    isStarted = true;
    const hrefs = chunks.split(' ');
    // Preload all chunks side by side. Otherwise the browser finds each one only after loading the chunk that imports it.
    for (const href of hrefs) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
    // The first chunk holds React and the router. It is evaluated alone: together with the page it would be one long task.
    const next = () => import(entry);
    void import(hrefs[0] ?? entry).then(next, next);
  };
  if (document.visibilityState === 'hidden') start();
  // The browser reports a paint entry once the frame has been shown.
  if (PerformanceObserver.supportedEntryTypes.includes('paint'))
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  // A tab that a window covers completely may paint no frame at all.
  setTimeout(start, 1_000);
}
