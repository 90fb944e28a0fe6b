/** What the buttons of a form do. */
interface FormActions {
  save(text: string): void;
  cancel(): void;
  /** Opens the panel's own form; null without a panel. */
  readonly open: (() => void) | null;
}

/** A form below an element of the page, for a text or a piece of Markdown. */
export class TextForm {
  readonly #form = document.createElement('form');
  readonly #note = document.createElement('p');
  readonly #save: HTMLButtonElement;

  constructor(below: Element, value: string, labels: { text: string; save: string }, actions: FormActions) {
    const text = document.createElement('textarea');
    text.value = value;
    text.rows = Math.min(12, value.split('\n').length + Math.ceil(value.length / 70));
    text.setAttribute('aria-label', labels.text);
    this.#note.setAttribute('role', 'status');
    this.#save = button(labels.save, 'submit');
    const form = this.#form;
    form.id = 'preview-editor';
    form.style.insetBlockStart = `${window.scrollY + below.getBoundingClientRect().bottom}px`;
    form.append(text, this.#note, this.#save);
    form.append(button('Cancel', 'button', actions.cancel));
    if (actions.open) form.append(button('Open the form', 'button', actions.open));
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

export function button(label: string, type: 'button' | 'submit', onClick?: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = type;
  made.textContent = label;
  if (onClick) made.addEventListener('click', onClick);
  return made;
}
