import { createHash } from 'node:crypto';
import { FIELD_PREFIX, type FormInput, INPUTS, type ShownForm } from '../../shared/forms/page-form.ts';
import { MARK } from '../../shared/payload/preview-notes.ts';

/** A form that editors build, with all values of its block in `site/blocks/form/`. */
export interface PageForm extends Pick<ShownForm, 'title' | 'text' | 'button' | 'thanks'> {
  readonly items: readonly {
    readonly label: string | null;
    readonly input: string | null;
    readonly needed: boolean;
    readonly hint: string | null;
    readonly options: string | null;
  }[];
  /** Never sent to browsers. */
  readonly addressee: string | null;
}

export function shownForm(
  { title, text, button, thanks, ...form }: PageForm,
  place = { entry: '', number: 1 },
): ShownForm {
  const inputs = inputsOf(form);
  const numbered = `form-${place.number}` as const;
  const name = `${numbered}-${place.entry}` as const;
  return { form: name, place: numbered, version: versionOf(inputs), title, text, inputs, button, thanks };
}

/** @returns the fields. If a label is repeated, the name of its field gets a number. */
export function inputsOf({ items }: Pick<PageForm, 'items'>): readonly FormInput[] {
  const labels = items.map(({ label }) => onOneLine(label ?? ''));
  return items.map(({ label, input, needed, hint, options }, index) => {
    const again = labels.slice(0, index).filter(other => other === labels[index]).length;
    const choices = [...new Set((options ?? '').split('\n').map(onOneLine))].filter(Boolean);
    const known = INPUTS.find(one => one === input) ?? 'text';
    return {
      posted: `${FIELD_PREFIX}${labels[index]}${again > 0 ? ` (${again + 1})` : ''}`,
      label: label ?? '',
      input: known === 'choice' && choices.length === 0 ? 'text' : known,
      isRequired: needed,
      hint,
      options: known === 'choice' ? choices : [],
    };
  });
}

/** @returns the text on one line, without control characters and without the marks of a preview. */
export function onOneLine(text: string): string {
  return text
    .replace(MARK, '')
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .normalize('NFC');
}

export function versionOf(inputs: readonly FormInput[]): string {
  const rules = inputs.map(({ posted, input, isRequired, options }) => [posted, input, isRequired, options]);
  return createHash('sha256').update(JSON.stringify(rules)).digest('base64url').slice(0, 12);
}
