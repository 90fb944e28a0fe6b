/** The words of the form check, which browsers load with it. */
const enForms = {
  missingName: 'Please enter your name.',
  missingMessage: 'Please write a message.',
  wrongEmail: 'Please enter a complete e-mail address, such as name@example.com.',
  wrongField: 'Please write a text.',
  wrongKey: 'The key must be a UUID.',
  unknownForm: 'There is no such form.',
  missingConsent: 'Please agree to this sentence.',
  changedConsent: 'This sentence has changed. Please load the page again, read it, and agree.',
  tooLong: { one: 'Please use at most {count} character.', other: 'Please use at most {count} characters.' },
  lineBreaks: 'Please remove line breaks and control characters.',
  controlCharacters: 'Please remove control characters.',
  stackedCharacters: 'Please remove characters that are stacked on each other.',
} as const;

export default enForms;
