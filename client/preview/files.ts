import { EDIT_PATH, type FieldState } from '../../shared/payload/preview-notes.ts';
import { type FieldSource, partsOf } from './panel.ts';

/** Reads and saves fields in the content folder, in place of the panel (decision 223). */
export function contentFiles(say: (words: string) => void): FieldSource {
  const ask = async (field: string, { value, updatedAt }: FieldState = {}): Promise<FieldState> => {
    const body = JSON.stringify({ ...partsOf(field), value, updatedAt });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(EDIT_PATH, { method: 'POST', headers, body }).catch(() => null);
    return (await answer?.json().catch(() => null)) ?? { refused: 'The site does not answer.' };
  };
  return {
    ask: (_ask, field, _notes, values) => ask(field, values),
    /** Names the file of a field that cannot be edited in place. */
    async open(field) {
      const { file = 'No file' } = await ask(field);
      say(`${file} has the field “${partsOf(field).name}”`);
    },
  };
}
