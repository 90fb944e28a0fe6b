import type { CatalogueOf } from '../../shared/labels/page-language.ts';
import type enForms from './en-forms.ts';

const deForms: CatalogueOf<typeof enForms> = {
  missingName: 'Bitte geben Sie Ihren Namen ein.',
  missingMessage: 'Bitte schreiben Sie eine Nachricht.',
  wrongEmail: 'Bitte geben Sie eine vollständige E-Mail-Adresse ein, etwa name@example.com.',
  wrongField: 'Bitte schreiben Sie einen Text.',
  wrongKey: 'Der Schlüssel muss eine UUID sein.',
  unknownForm: 'Dieses Formular gibt es nicht.',
  missingConsent: 'Bitte stimmen Sie diesem Satz zu.',
  changedConsent:
    'Dieser Satz hat sich geändert. Bitte laden Sie die Seite neu, lesen Sie ihn und stimmen Sie zu.',
  tooLong: {
    one: 'Bitte verwenden Sie höchstens {count} Zeichen.',
    other: 'Bitte verwenden Sie höchstens {count} Zeichen.',
  },
  lineBreaks: 'Bitte entfernen Sie Zeilenumbrüche und Steuerzeichen.',
  controlCharacters: 'Bitte entfernen Sie Steuerzeichen.',
  stackedCharacters: 'Bitte entfernen Sie übereinander gestapelte Zeichen.',
};

export default deForms;
