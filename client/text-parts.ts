import type { PageLabels } from '../shared/labels/labels.ts';

/** The parts of texts that do more with a script (`shared/ui/rich-parts.tsx`), and the chunk of each. */
const PARTS: Readonly<Record<string, (labels: PageLabels) => Promise<void>>> = {
  '[data-copy]': async () => (await import('./copy-code.ts')).startCopying(),
  '[data-frame]': async () => (await import('./play-film.ts')).startFilms(),
  '[data-large]': async labels => (await import('./large-picture.ts')).startLargePictures(labels),
};

/** Loads the script of each kind of part once, when a page has the first part of that kind. */
export function startTextParts(labels: PageLabels): void {
  const root = document.getElementById('root');
  const waiting = new Map(Object.entries(PARTS));

  function look(): void {
    for (const [selector, start] of waiting) {
      if (!document.querySelector(selector)) continue;
      waiting.delete(selector);
      // Without its script a part stays a link, or a code that can be selected. The next page tries again.
      start(labels).catch(() => waiting.set(selector, start));
    }
    if (waiting.size === 0) observer.disconnect();
  }

  const observer = new MutationObserver(look);
  if (root) observer.observe(root, { childList: true, subtree: true });
  look();
}
