/**
 * Runs before the first paint, as a file of its own because inline scripts are forbidden: the chosen theme must not
 * flash, and the curtain of a session's first page must be known of before anything is shown. Storage may be refused.
 */
try {
  const root = document.documentElement;
  const theme = localStorage.getItem('site:theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (!sessionStorage.getItem('site:visited')) {
    sessionStorage.setItem('site:visited', '1');
    root.dataset.visit = 'first';
  }
} catch {
  // The system's theme, and no curtain.
}
