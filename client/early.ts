/**
 * Runs before the first paint. It is a file, because the security policy forbids inline scripts, and classic,
 * because browsers defer modules. It declares no global name, which a script of the settings could also use.
 */

/**
 * Sets the theme and marks a session's first visit. Doing it after the first paint would cause a flash.
 * A page of an e-mail's link, which loads no other script, has no initial overlay.
 */
try {
  const root = document.documentElement;
  const theme = localStorage.getItem('site:theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (document.currentScript?.dataset.entry && !sessionStorage.getItem('site:visited')) {
    sessionStorage.setItem('site:visited', '1');
    root.dataset.visit = 'first';
  }
} catch {
  // Without storage, the page has the system's theme and no initial overlay.
}

/**
 * Makes browsers wait with the first paint for `HeadingEnd` (`expect` of WHATWG HTML, "Link types"). The link
 * is not in the document, because the Nu Html Checker refuses it.
 */
{
  const link = document.createElement('link');
  link.rel = 'expect';
  link.href = '#after-title';
  link.setAttribute('blocking', 'render');
  document.head.append(link);
}

/**
 * Loads the hydrating scripts after the first paint. `import()` loads them, because Trusted Types forbid
 * setting a script's `src`.
 */
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
  // Wait for the paint entry, which browsers report when the frame is visible.
  if (PerformanceObserver.supportedEntryTypes.includes('paint'))
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  // Start anyway after 1 s, because a covered tab may paint no frame.
  setTimeout(start, 1_000);
}
