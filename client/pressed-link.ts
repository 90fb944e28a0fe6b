/** @returns the link that a plain click has pressed; null for a click with a modifier key, which is the browser's own. */
export function pressedLink(event: MouseEvent, selector: string): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  return event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(selector) : null;
}
