import type { FieldState, PreviewNotes } from '../../shared/payload/preview-notes.ts';
import type { FieldSource } from './panel.ts';
import { type SourcePart, shownPart } from './source-part.ts';
import { button, TextForm } from './text-form.ts';

/** A field that is being edited. `state` is the panel's last response about it. */
interface Edit {
  readonly element: HTMLElement;
  readonly field: string;
  readonly notes: PreviewNotes;
  readonly state: FieldState;
}

/** Edits fields in place. The panel around the frame, or the site itself, saves them. */
export class InlineEditor {
  readonly #panel: FieldSource;
  readonly #refresh: () => void;
  readonly #note: HTMLElement;
  #form: TextForm | null = null;

  /** @param note the place in the bar for results. @param refresh reloads the page's data after a change. */
  constructor(panel: FieldSource, note: HTMLElement, refresh: () => void) {
    this.#panel = panel;
    this.#note = note;
    this.#refresh = refresh;
    this.#note.setAttribute('role', 'status');
    this.#note.id = 'preview-saved';
  }

  /** Edits the field of an element in place, or opens it in the panel. */
  async press(element: Element | null, field: string, notes: PreviewNotes): Promise<void> {
    const canEdit = element instanceof HTMLElement && !(element instanceof HTMLTimeElement);
    const state = canEdit ? await this.#panel.ask('read', field, notes) : null;
    if (canEdit && typeof state?.value === 'string')
      this.#write({ element, field, notes, state }, shownPart(state.value, element.innerText));
    else if (canEdit && state && fileId(state.value) !== null)
      await this.#choose({ element, field, notes, state });
    else this.#panel.open(field, notes);
  }

  #write(first: Edit, firstPart: SourcePart): void {
    let [edit, part] = [first, firstPart];
    const save = async (text: string) => {
      const source = String(edit.state.value);
      const end = part.start + part.text.length;
      const answer = await this.#save(edit, source.slice(0, part.start) + text + source.slice(end));
      if (!answer?.isChanged) return this.#form?.say(answer?.refused ?? '', true);
      part = partIn(String(answer.value ?? ''), source, part);
      edit = { ...edit, state: answer };
      this.#form?.say(`${whoSaved(answer)} ${nextStep(part, source, answer.value)}`, part.start >= 0);
    };
    const { element, field, notes, state } = first;
    const name = field.slice(field.indexOf('.') + 1);
    const labels = {
      text: `Text of the field “${name}”`,
      save: state.file ? 'Save the file' : state.hasDrafts ? 'Save as draft' : 'Save for all visitors',
    };
    this.#form?.close();
    this.#form = new TextForm(element, part.text, labels, {
      save: text => void save(text),
      cancel: () => this.#close(element),
      open: state.file ? null : () => this.#panel.open(field, notes),
    });
    if (state.file) this.#form.say(state.file, true);
  }

  async #choose(edit: Edit): Promise<void> {
    const chosen = await this.#panel.ask('choose', edit.field, edit.notes);
    if (typeof chosen?.value !== 'number') return;
    const answer = await this.#save(edit, chosen.value);
    const problem = answer?.isChanged ? whoSaved(answer) : answer?.refused;
    if (problem) this.#note.textContent = ` · Not saved. ${problem}`;
  }

  /** @returns the panel's response. A saved value is shown, and can be undone. */
  async #save(edit: Edit, value: unknown): Promise<FieldState | null> {
    const { element, field, notes, state } = edit;
    const answer = await this.#panel.ask('save', field, notes, { value, updatedAt: state.updatedAt });
    if (!answer || answer.isChanged || answer.refused !== undefined) return answer;
    this.#close(element);
    this.#note.textContent = answer.hasDrafts ? ' · Saved as a draft ' : ' · Saved ';
    const former = fileId(state.value) ?? state.value;
    this.#note.append(button('Undo', () => void this.#undo(edit, former, answer)));
    this.#refresh();
    return answer;
  }

  async #undo({ field, notes }: Edit, former: unknown, { updatedAt }: FieldState): Promise<void> {
    const answer = await this.#panel.ask('save', field, notes, { value: former, updatedAt });
    const problem = answer?.isChanged ? whoSaved(answer) : answer?.refused;
    this.#note.textContent = ` · ${problem ? `Not undone. ${problem}` : 'Undone'}`;
    if (!problem) this.#refresh();
  }

  #close(element: HTMLElement): void {
    this.#form?.close();
    this.#form = null;
    element.focus({ preventScroll: true });
  }
}

function fileId(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('mime' in value) || !('id' in value)) return null;
  return typeof value.id === 'number' ? value.id : null;
}

function whoSaved({ by }: FieldState): string {
  return `${by || 'Somebody'} has saved this entry meanwhile.`;
}

/** @returns the edited part in another person's saved text; `start` is -1 if the part is gone. */
function partIn(theirs: string, source: string, { text }: SourcePart): SourcePart {
  return text === source ? { start: 0, text: theirs } : { start: theirs.indexOf(text), text };
}

/** @param part the edited part in the text of the other person */
function nextStep(part: SourcePart, source: string, theirs: unknown): string {
  if (part.start < 0) return 'This text was changed, too: copy yours, and press the text again.';
  if (part.text === theirs && theirs !== source)
    return `The text is now “${theirs}”. Save again to replace it.`;
  return 'Save again to keep both changes.';
}
