import type enAnswers from './en-answers.ts';
import type { CatalogueOf } from './labels.ts';

/** The words that the server alone says, in German. */
const deAnswers: CatalogueOf<typeof enAnswers> = {
  blog: 'Blog',
  blogOf: '{site} – Blog',
  articlesTagged: 'Artikel zum Thema „{tag}“',
  archiveTitle: 'Archiv der Artikel',
  archiveNote: 'Alle Artikel des Blogs, nach Jahr und Monat.',
  articlesOfYear: 'Artikel aus dem Jahr {year}',
  articlesOfMonth: 'Artikel aus dem {month}',
  articleCount: { one: '{count} Artikel', other: '{count} Artikel' },
  titleOfPage: '{title}, Seite {page}',

  // Search
  searchKind: 'Art',
  anyKind: 'Alles',
  kindArticles: 'Artikel',
  kindSolutions: 'Geschäftslösungen',
  kindCommerce: 'Handel',
  kindPages: 'Seiten',
  anyCategory: 'Alle Kategorien',
  searchCategory: 'Kategorie',
  searchHint: 'Geben Sie ein oder mehrere Wörter ein. Wortanfänge genügen.',
  searchResults: { one: '{count} Treffer', other: '{count} Treffer' },
  searchNothing: 'Zu „{query}“ wurde nichts gefunden.',
  searchCorrected: 'Zu „{query}“ wurde nichts gefunden. Diese Treffer sind für „{corrected}“.',
  searchPartly: 'Nichts enthält alle Wörter von „{query}“. Diese Treffer enthalten einige davon.',
  searchUnknownFilter: '„{value}“ gibt es hier nicht, die Auswahl wurde daher ignoriert.',
  searchWithoutCategory: 'Nur Artikel haben Kategorien, „{category}“ wurde daher nicht berücksichtigt.',
  searchNearest: 'Meinten Sie',
  searchWider: 'Überall suchen',
  searchReading: 'Die Texte dieser Website werden noch gelesen. Gleich kann mehr gefunden werden.',
  searchUnavailable:
    'Die Suche funktioniert gerade nicht, alle anderen Seiten schon: Bitte versuchen Sie es in einer Minute noch einmal.',
  searchPages: 'Seiten der Treffer',
  newestArticles: 'Die neuesten Artikel',
  nextPage: 'Weiter',
  previousPage: 'Zurück',
  suggestionsFound: { one: '{count} Vorschlag', other: '{count} Vorschläge' },
  noSuggestions: 'Keine Vorschläge',
  searchTitle: 'Suche',
  searchTitleOf: '{query} – Suche',
  tooManySearches: 'Aus Ihrem Netz kamen zu viele Suchen. Bitte versuchen Sie es in einer Minute erneut.',

  // Forms
  checkFields: 'Bitte prüfen Sie die markierten Felder.',
  trapFilled:
    'Dieses Feld muss leer bleiben, und etwas hatte es ausgefüllt. Bitte senden Sie das Formular noch einmal.',
  tooSoon: 'Das kam schneller, als jemand tippen kann. Bitte senden Sie es noch einmal.',
  tooManyMessages:
    'Aus Ihrem Netzwerk sind zu viele Nachrichten gekommen. Nichts davon ist verloren: Bitte versuchen Sie es in zehn Minuten noch einmal.',
  notAccepted:
    'Ihre Nachricht konnte gerade nicht gesendet werden. Nichts davon ist verloren: Bitte versuchen Sie es gleich noch einmal.',
  messageNotSent: 'Ihre Nachricht wurde nicht gesendet',
  send: 'Senden',

  // Links in e-mails to subscribers
  confirmTitle: 'Abonnement bestätigen',
  confirmNote: 'Drücken Sie den Knopf, und Neues kommt an die Adresse, an die wir den Link geschickt haben.',
  confirmButton: 'Bestätigen',
  confirmed: 'Sie stehen auf der Liste',
  confirmedNote: 'Vielen Dank. Abbestellen können Sie jederzeit mit dem Link in unseren E-Mails.',
  leaveTitle: 'Abbestellen',
  leaveNote:
    'Drücken Sie den Knopf, und an die Adresse, an die wir den Link geschickt haben, kommt nichts mehr.',
  leaveButton: 'Abbestellen',
  left: 'Sie stehen nicht mehr auf der Liste',
  leftNote: 'Sie bekommen nichts mehr von uns. Sie können jederzeit wieder abonnieren.',
  linkUsed: 'Dieser Link wurde schon benutzt',
  confirmUsedNote: 'Ihr Abonnement ist bereits bestätigt. Sie müssen nichts mehr tun.',
  leaveUsedNote:
    'Sie haben damit abbestellt. Falls Sie seitdem wieder abonniert haben, nehmen Sie den Link in unserer neuesten E-Mail.',
  linkExpired: 'Dieser Link ist zu alt',
  confirmExpiredNote: 'Bitte abonnieren Sie noch einmal: Sie bekommen einen neuen Link.',
  leaveExpiredNote: 'Bitte nehmen Sie den Link in unserer neuesten E-Mail, oder schreiben Sie uns.',
  linkWrong: 'Dieser Link ist nicht vollständig',
  linkWrongNote:
    'Bitte kopieren Sie die ganze Adresse aus der E-Mail, oder abonnieren Sie noch einmal, um einen neuen Link zu bekommen.',
  tooManyPresses:
    'Aus Ihrem Netzwerk sind zu viele Anfragen gekommen. Bitte versuchen Sie es in zehn Minuten noch einmal.',
  pressNotAccepted: 'Das hat gerade nicht geklappt. Bitte drücken Sie den Knopf gleich noch einmal.',

  // Errors
  home: 'Startseite',
  notFound: 'Seite nicht gefunden: {path}',
  siteBusy: 'Die Website ist gerade stark ausgelastet: Bitte versuchen Sie es gleich noch einmal.',
  unreadableRequest: 'Der Server konnte diese Anfrage nicht lesen.',
  ourFault: 'Bei uns ist etwas schiefgegangen.',
  tooSlow: 'Diese Seite braucht zu lange: Bitte versuchen Sie es gleich noch einmal.',
  wrongAddress: 'Die Adresse ist nicht lesbar.',
  onlyReading: 'Diese Adresse kann nur gelesen werden.',
  tooLarge: 'Das ist mehr, als an diese Adresse gesendet werden kann.',
  foreignForm: 'Dieses Formular kann nur von der Website selbst gesendet werden.',
  onlyForms: 'Diese Adresse nimmt die Formulare der Website an, und nur per POST.',
  onlyFormTypes: 'Diese Adresse nimmt JSON und einfache Formulare an.',
  status400: 'Ungültige Anfrage',
  status401: 'Nicht angemeldet',
  status403: 'Nicht erlaubt',
  status405: 'Methode nicht erlaubt',
  status408: 'Zeitüberschreitung der Anfrage',
  status413: 'Anfrage zu groß',
  status414: 'Adresse zu lang',
  status415: 'Unbekannter Medientyp',
  status421: 'Anfrage an den falschen Server',
  status422: 'Nicht verarbeitbare Anfrage',
  status429: 'Zu viele Anfragen',
  status500: 'Interner Serverfehler',
  status502: 'Fehlerhafte Antwort eines anderen Servers',
  status503: 'Vorübergehend nicht verfügbar',
  status504: 'Zeitüberschreitung eines anderen Servers',
  contentMissing:
    'Der Inhalt dieser Seite kann gerade nicht geladen werden: Bitte versuchen Sie es in einer Minute noch einmal.',
};

export default deAnswers;
