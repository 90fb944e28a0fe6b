import { element } from '../element.ts';

interface FormActions {
  save(text: string): void;
  cancel(): void;
  /** Opens the panel's own form; null without a panel. */
  readonly open: (() => void) | null;
}

export class TextForm {
  readonly #form = element('form', { id: 'preview-editor' });
  readonly #note = element('p', { role: 'status' });
  readonly #save: HTMLButtonElement;

  constructor(below: Element, value: string, labels: { text: string; save: string }, actions: FormActions) {
    const rows = Math.min(12, value.split('\n').length + Math.ceil(value.length / 70));
    const text = element('textarea', { value, rows, ariaLabel: labels.text });
    this.#save = element('button', {}, labels.save);
    const form = this.#form;
    form.style.insetBlockStart = `${window.scrollY + below.getBoundingClientRect().bottom}px`;
    form.append(text, this.#note, this.#save);
    form.append(button('Cancel', actions.cancel));
    if (actions.open) form.append(button('Open the form', actions.open));
    form.addEventListener('keydown', event => {
      if (event.key === 'Escape') actions.cancel();
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    form.addEventListener('submit', event => {
      event.preventDefault();
      actions.save(text.value);
    });
    document.body.append(form);
    text.focus();
    form.scrollIntoView({ block: 'nearest' });
  }

  /** Says where the text is, or why it is not saved. The typed text stays. */
  say(words: string, canSave: boolean): void {
    this.#note.textContent = words;
    this.#save.disabled = !canSave;
  }

  close(): void {
    this.#form.remove();
  }
}

export function button(label: string, onclick: () => void): HTMLButtonElement {
  return element('button', { type: 'button', onclick }, label);
}
