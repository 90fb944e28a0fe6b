import { componentKeys } from '../../../shared/content/components.ts';
import type { FieldsOf } from '../../../shared/content/content-types.ts';
import type { LanguageSettings } from '../../../shared/content/settings.ts';
import { CATALOGUE_NAMES, catalogueFor } from '../../../shared/labels/page-language.ts';
import { WORD_NAMES } from '../../../shared/labels/word-names.ts';
import { isCurrency, isTimeZone } from '../language-values.ts';
import { WORDS } from '../words.ts';
import { type DecodeContext, inside, lose, quoted } from './decode-context.ts';
import { loseItem } from './decode-fields.ts';
import { objectsAt, textAt } from './decode-json.ts';

type LanguageFields = Pick<FieldsOf<'settings'>, 'language' | 'timeZone' | 'currency'>;

const BLANK = /\{\w+\}/g;

/**
 * @param labels the list of words with other texts, as JSON.
 * @returns the language that the settings ask for. A value that cannot be used is reported, and counts as empty.
 */
export function languageSettings(
  fields: LanguageFields,
  labels: unknown,
  context: DecodeContext,
): LanguageSettings {
  const checked = (
    field: 'language' | 'timeZone' | 'currency',
    isValid: (value: string) => boolean,
    wanted: string,
  ) => {
    const at = inside(context, field);
    const value = fields[field]?.trim() ?? '';
    if (value === '' || isValid(value)) return value || null;
    lose(at, 'value-left-out', `${quoted(value)} is not used, and the site keeps its own: ${wanted}`);
    return null;
  };
  return {
    language: checked(
      'language',
      value => catalogueFor(value) !== null,
      `a language is needed of which the site has the words (${CATALOGUE_NAMES.join(', ')}), such as en-GB`,
    ),
    timeZone: checked('timeZone', isTimeZone, 'a name such as Europe/Berlin is needed'),
    currency: checked('currency', isCurrency, 'three letters such as EUR are needed'),
    labels: Object.fromEntries(labelsIn(labels, inside(context, 'labels'))),
  };
}

/** @returns the names of words with their texts. A name that no word has is reported, and so is a blank that nothing fills, and a text that lacks one. */
function labelsIn(value: unknown, context: DecodeContext): [name: string, text: string][] {
  return objectsAt(value, context, componentKeys('label')).flatMap(([item, at]): [string, string][] => {
    const name = textAt(item.name, inside(at, 'name'))?.trim();
    const text = textAt(item.text, inside(at, 'text'));
    if (!name || text === null) {
      loseItem(at, item, 'a word of the interface', 'a name and a text');
      return [];
    }
    const blanks = blanksOf(name);
    if (blanks === null) {
      lose(at, 'value-left-out', `${quoted(name)} is not used: no word of the interface has this name`);
      return [];
    }
    const unknown = (text.match(BLANK) ?? []).filter(blank => !blanks.includes(blank));
    if (unknown.length > 0) {
      const known = blanks.length > 0 ? `it may have ${blanks.join(', ')}` : 'it may have none';
      lose(
        at,
        'value-left-out',
        `${quoted(text)} is not used: nothing fills ${unknown.join(', ')}, ${known}`,
      );
      return [];
    }
    const lacking = requiredBlanksOf(name).filter(blank => !text.includes(blank));
    if (lacking.length > 0) {
      lose(at, 'value-left-out', `${quoted(text)} is not used: '${name}' needs ${lacking.join(', ')}`);
      return [];
    }
    return [[name, text]];
  });
}

/** The ending of the form of a word for a number. The forms for nought, one and two may say the number in words. */
const FORM = /_(zero|one|two|few|many|other)$/;
const IN_WORDS: readonly string[] = ['zero', 'one', 'two'];

/** @returns the blanks without which a text of the name says too little. */
function requiredBlanksOf(name: string): readonly string[] {
  const [, form = ''] = FORM.exec(name) ?? [];
  return IN_WORDS.includes(form) ? [] : (blanksOf(name) ?? []);
}

/** @returns the blanks that a text of the name may have, such as `{count}`; null for a name that no word has. */
function blanksOf(name: string): readonly string[] | null {
  if (!WORD_NAMES.includes(name)) return null;
  const text: string | object | undefined = WORDS.en[name as keyof typeof WORDS.en];
  return typeof text === 'string' ? (text.match(BLANK) ?? []) : ['{count}'];
}
