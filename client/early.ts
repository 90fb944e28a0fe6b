/**
 * A classic script in a file, which runs before the first paint. The security policy forbids inline scripts,
 * and browsers defer modules. Blocks avoid global names, which could clash with an editor's own scripts.
 */

/** Sets the theme, and marks a session's first page for the overlay. Pages opened by an e-mail have none. */
try {
  const root = document.documentElement;
  const theme = localStorage.getItem('site:theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (document.currentScript?.dataset.entry && !sessionStorage.getItem('site:visited')) {
    sessionStorage.setItem('site:visited', '1');
    root.dataset.visit = 'first';
  }
} catch {}

/**
 * Delays the first paint until `HeadingEnd` (`expect` of WHATWG HTML, "Link types"). A script adds the link,
 * because the Nu Html Checker refuses it in a document.
 */
{
  const link = document.createElement('link');
  link.rel = 'expect';
  link.href = '#after-title';
  link.setAttribute('blocking', 'render');
  document.head.append(link);
}

/** Loads the hydrating scripts after the first paint. Trusted Types forbid setting a script's `src`. */
{
  const { entry, chunks = '' } = document.currentScript?.dataset ?? {};
  let isStarted = false;
  const start = () => {
    if (isStarted || entry === undefined) return;
    isStarted = true;
    const hrefs = chunks.split(' ');
    // Preload all chunks, because browsers find a chunk only after loading its importer.
    for (const href of hrefs) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
    // Evaluate the first chunk separately, because React, router and page would be one long task.
    const next = () => import(entry);
    void import(hrefs[0] ?? entry).then(next, next);
  };
  if (document.visibilityState === 'hidden') start();
  if (PerformanceObserver.supportedEntryTypes.includes('paint'))
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  // Start anyway after 1 s, because a covered tab may paint no frame.
  setTimeout(start, 1_000);
}
