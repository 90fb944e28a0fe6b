import type { PreviewNotes } from '../../shared/payload/preview-notes.ts';
import { element } from '../element.ts';
import { FIELD, ownerOf } from './fields.ts';

/** Handles a press on a field, such as `articles:42.title`. Without an element, opens it in the panel. */
type PressField = (element: Element | null, field: string, notes: PreviewNotes) => void;

/** The key in session storage: whether the next document of the tab is edited, too. */
const KEPT = 'preview-edits';
/** Elements that the keyboard reaches anyway. */
const CONTROLS = 'a, button, input, select, textarea, summary';
/** Marks the elements that the keyboard reaches only while the page is edited. */
const STOP = 'data-field-stop';

export class EditMode {
  readonly button = element('button', { id: 'preview-edit', type: 'button' });
  readonly #root: Element;

  constructor(root: Element, notes: () => PreviewNotes | undefined, press: PressField) {
    this.#root = root;
    this.button.addEventListener('click', () => this.#set(!this.isOn));
    this.#set(sessionStorage.getItem(KEPT) === 'true');
    const opening = (event: MouseEvent | KeyboardEvent) => {
      const { target } = event;
      const known = notes();
      if (!this.isOn || !known || !(target instanceof Element) || !root.contains(target)) return;
      event.preventDefault();
      event.stopPropagation();
      const owner = ownerOf(target);
      press(event.altKey ? null : owner, owner?.getAttribute(FIELD) ?? known.words, known);
    };
    // Capture presses, because links and buttons of the page must not react.
    document.addEventListener('click', opening, true);
    document.addEventListener(
      'keydown',
      event => {
        const isStop = event.target instanceof Element && event.target.hasAttribute(STOP);
        if (event.key === 'Enter' && isStop) opening(event);
      },
      true,
    );
  }

  get isOn(): boolean {
    return this.button.getAttribute('aria-pressed') === 'true';
  }

  /** Makes texts reachable by the keyboard. Call this after each change of the page. */
  update(): void {
    if (!this.isOn) return;
    for (const element of this.#root.querySelectorAll<HTMLElement>(`[${FIELD}]:not([tabindex='0'])`)) {
      if (element.closest(CONTROLS) || element.querySelector(CONTROLS)) continue;
      element.setAttribute(STOP, element.getAttribute('tabindex') ?? '');
      element.tabIndex = 0;
    }
  }

  #set(isOn: boolean): void {
    this.button.setAttribute('aria-pressed', String(isOn));
    this.button.textContent = isOn ? 'Press a text to edit it' : 'Edit';
    document.documentElement.toggleAttribute('data-editing', isOn);
    sessionStorage.setItem(KEPT, String(isOn));
    for (const element of this.#root.querySelectorAll(`[${STOP}]`)) {
      const before = element.getAttribute(STOP);
      if (before) element.setAttribute('tabindex', before);
      else element.removeAttribute('tabindex');
      element.removeAttribute(STOP);
    }
    this.update();
  }
}
