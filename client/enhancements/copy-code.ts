const COPIED_FOR_MS = 2_000;

/** Copies code blocks and addresses of headings. Without a clipboard the buttons stay hidden. */
export function startCopying(): void {
  const { clipboard } = navigator;
  if (!clipboard) return;
  // Announce in the live region of `page-feedback.ts`.
  const status = document.querySelector('body > [role=status]');
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    const code = button?.parentElement?.querySelector('pre')?.textContent?.trimEnd();
    const text = button instanceof HTMLAnchorElement ? button.href : code;
    const copied = button?.dataset.copy;
    if (!button || text === undefined || !copied) return;
    try {
      await clipboard.writeText(text);
    } catch {
      // The browser denies the clipboard.
      return;
    }
    const words = button.textContent === copied ? null : button.textContent;
    button.textContent = copied;
    if (status) status.textContent = copied;
    if (words === null) return;
    setTimeout(() => {
      button.textContent = words;
      if (status) status.textContent = '';
    }, COPIED_FOR_MS);
  });
  document.documentElement.dataset.copies = '';
}
