import type en from './en.ts';
import type { CatalogueOf } from './labels.ts';

/** The words of pages, in German. */
const de: CatalogueOf<typeof en> = {
  // Around every page
  skipToContent: 'Zum Inhalt springen',
  mainNavigation: 'Hauptnavigation',
  menu: 'Menü',
  closeMenu: 'Schließen',
  allOf: 'Alle: {title}',
  footerNavigation: 'Fußzeile',
  networks: 'Netzwerke',
  followUs: 'Folgen Sie uns',
  colours: 'Farben',
  light: 'Hell',
  systemTheme: 'Wie das System',
  dark: 'Dunkel',
  breadcrumb: 'Pfad',
  loading: 'Wird geladen …',

  // Landing page
  questions: 'Fragen und Antworten',
  waysToPay: 'Zahlungsarten',
  earnMore: 'Mehr verdienen',
  inFigures: 'In Zahlen',
  directions: 'Geschäftsfelder',
  partners: 'Partner',
  contacts: 'Kontakt',
  oneCountry: 'Wohin wir auszahlen',
  countries: { one: '{count} Land', other: '{count} Länder' },
  worldMap: 'Weltkarte',
  worldMapBetween: {
    one: 'Weltkarte mit einer Verbindung nach {count} Land',
    other: 'Weltkarte mit Verbindungen zwischen {count} Ländern',
  },

  // Blog
  allArticles: 'Alle Artikel',
  categories: 'Kategorien',
  noArticles: 'Es gibt noch keine Artikel.',
  noArticlesHere: 'Hier gibt es noch keine Artikel.',
  allInCategory: 'Alle',
  allInCategoryOf: 'Alle Artikel in {category}',
  pagesOfList: 'Seiten dieser Liste',
  tags: 'Themen',
  archive: 'Archiv',
  months: 'Monate',
  page: 'Seite {page}',
  newer: 'Neuere',
  older: 'Ältere',
  updated: 'Aktualisiert am',
  readingTime: { one: '{count} Minute Lesezeit', other: '{count} Minuten Lesezeit' },
  onThisPage: 'Auf dieser Seite',
  feed: 'RSS-Feed',
  readOn: 'Weiterlesen',
  copyLink: 'Link kopieren',
  copied: 'Kopiert',
  linkCopied: 'Link kopiert',
  shareByEmail: 'E-Mail',
  share: 'Teilen',

  // Search
  search: 'Suchen',
  searchSite: 'Website durchsuchen',

  // Texts
  done: 'Erledigt',
  toDo: 'Offen',
  copyCode: 'Code kopieren',
  enlarge: 'Bild vergrößern',
  calloutNote: 'Hinweis',
  calloutTip: 'Tipp',
  calloutWarning: 'Warnung',
  filmOf: 'Film bei {provider}',
  playsFrom: 'Wird von {provider} abgespielt',
  nextPicture: 'Nächstes Bild',
  lastPicture: 'Vorheriges Bild',
  customText: 'Text {number}',

  // Forms
  name: 'Name',
  email: 'E-Mail-Adresse',
  company: 'Unternehmen',
  topic: 'Thema',
  message: 'Nachricht',
  optional: '(freiwillig)',
  trap: 'Bitte leer lassen',
  privacyNote: 'Lesen Sie, {link}.',
  privacyLink: 'was wir mit Ihren Daten tun',
  sendMessage: 'Nachricht senden',
  subscribe: 'Abonnieren',
  sending: 'Wird gesendet …',
  messageSent: 'Vielen Dank. Ihre Nachricht ist angekommen, und ein Mensch wird sie beantworten.',
  subscribed: 'Vielen Dank. Sie stehen auf der Liste.',
  consent: 'Einwilligung',
  subscribeFollows:
    'Sie bekommen eine E-Mail mit einem Link. Erst wenn Sie ihn geöffnet und den Knopf gedrückt haben, stehen Sie auf der Liste.',
  subscribedConfirm:
    'Vielen Dank. Bitte öffnen Sie den Link in der E-Mail, die zu Ihnen unterwegs ist: Erst dann stehen Sie auf der Liste.',
  newsByEmail: 'Neues per E-Mail',
  newsOf: 'Von Zeit zu Zeit, was es bei {site} Neues gibt. Abbestellen können Sie jederzeit.',
  checkTyped: 'Bitte prüfen Sie Ihre Eingaben.',
  notSent:
    'Ihre Nachricht konnte nicht gesendet werden. Nichts davon ist verloren: Bitte versuchen Sie es gleich noch einmal.',
  notSentOffline:
    'Sie sind anscheinend offline. Nichts ist verloren: Bitte versuchen Sie es noch einmal, sobald die Verbindung wieder da ist.',

  // Errors
  pageNotFound: 'Seite nicht gefunden',
  internalError: 'Interner Serverfehler',
  request: 'Anfrage',
  backToStart: 'Zur Startseite',
  tryAgain: 'Noch einmal versuchen',
  suggestions: 'Vielleicht haben Sie das gesucht',
  offline: 'Sie sind offline',
  offlineNote: 'Die Seite wird geladen, sobald die Verbindung wieder da ist.',
  pageFailed: 'Diese Seite kann gerade nicht geladen werden: Bitte versuchen Sie es gleich noch einmal.',
  foreignAnswer: 'Statt dieser Website hat Ihr Netzwerk geantwortet.',
  redirectLoop: 'Diese Adresse leitet im Kreis weiter.',
  notShown: 'Beim Anzeigen dieser Seite ist etwas schiefgegangen.',

  // Scripts of other sites
  scriptsTitle: 'Skripte anderer Websites',
  scriptsAllowed: 'Skripte anderer Websites sind erlaubt.',
  scriptsDeclined: 'Skripte anderer Websites sind nicht erlaubt.',
  scriptsQuestion: 'Dürfen Skripte anderer Websites geladen werden?',
  scriptsNote:
    'Sie kommen von {hosts} und sehen, welche Seiten Sie lesen. Bevor Sie gewählt haben, wird nichts geladen, und ohne sie funktioniert alles.',
  scriptsChange: 'Ändern',
  decline: 'Ablehnen',
  allow: 'Erlauben',
};

export default de;
