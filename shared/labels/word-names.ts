import en from './en.ts';
import enAnswers from './en-answers.ts';
import enForms from './en-forms.ts';

/** The forms of a word that depends on a number, in all languages (categories of `Intl.PluralRules`). */
const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

/**
 * The names under which the content may give other texts: those of all words. A word that depends on a number has a name for each form, too:
 * `countries_one`, as in i18next.
 */
export const WORD_NAMES: readonly string[] = Object.entries<string | object>({
  ...en,
  ...enForms,
  ...enAnswers,
})
  .flatMap(([name, text]) =>
    typeof text === 'string' ? [name] : [name, ...FORMS.map(form => `${name}_${form}`)],
  )
  .sort();
