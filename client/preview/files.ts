import { EDIT_PATH, type FieldState, type PreviewNotes } from '../../shared/payload/preview-notes.ts';
import { type FieldSource, partsOf } from './panel.ts';

/** Takes the place of the panel (decision 223). */
export class Files implements FieldSource {
  readonly #say: (words: string) => void;

  constructor(say: (words: string) => void) {
    this.#say = say;
  }

  /** Says where a field is that is not edited in place. */
  async open(field: string, notes: PreviewNotes): Promise<void> {
    const { file = 'No file' } = await this.ask('read', field, notes);
    this.#say(`${file} has the field “${partsOf(field).name}”`);
  }

  async ask(
    _ask: string,
    field: string,
    _notes: PreviewNotes,
    { value, updatedAt }: FieldState = {},
  ): Promise<FieldState> {
    const body = JSON.stringify({ ...partsOf(field), value, updatedAt });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(EDIT_PATH, { method: 'POST', headers, body }).catch(() => null);
    return (await answer?.json().catch(() => null)) ?? { refused: 'The site does not answer.' };
  }
}
