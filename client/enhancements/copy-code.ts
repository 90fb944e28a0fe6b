const COPIED_FOR_MS = 2_000;

/** Copies a code block when its button is pressed. Without a clipboard the buttons stay hidden. */
export function startCopying(): void {
  const { clipboard } = navigator;
  if (!clipboard) return;
  // Announce in the live region of `page-feedback.ts`.
  const status = document.querySelector('body > [role=status]');
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    const code = button?.parentElement?.querySelector('pre');
    const copied = button?.dataset.copy;
    if (!button || !code || !copied) return;
    try {
      await clipboard.writeText((code.textContent ?? '').trimEnd());
    } catch {
      // The browser denies the clipboard, but visitors can select the code.
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
