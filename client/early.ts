/**
 * Runs before the first paint. A file: the security policy forbids inline scripts. A classic script: browsers
 * defer modules. It declares no global name: a script of the settings might have the same.
 */

/** Sets the theme and marks a session's first visit. After the first paint the page would flash. */
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
 * Loads the scripts that hydrate the page after the first paint.
 * `import()` loads them: Trusted Types forbid setting the `src` of a script element.
 */
{
  const { entry, chunks = '' } = document.currentScript?.dataset ?? {};
  let isStarted = false;
  const start = () => {
    if (isStarted || entry === undefined) return;
    isStarted = true;
    const hrefs = chunks.split(' ');
    // Otherwise the browser finds each chunk only after loading the chunk that imports it.
    for (const href of hrefs) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
    // The first chunk holds React and the router. Evaluated with the page it would be one long task.
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
