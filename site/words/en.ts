/**
 * Other catalogues have the same names and placeholders (`CatalogueOf`). A text with `{count}` has a form for
 * each category of `Intl.PluralRules`.
 */
const en = {
  // Around every page
  skipToContent: 'Skip to content',
  mainNavigation: 'Main',
  menu: 'Menu',
  closeMenu: 'Close',
  allOf: 'All: {title}',
  footerNavigation: 'Footer',
  networks: 'Networks',
  vatId: 'VAT ID: {id}',
  followUs: 'Follow us',
  colours: 'Colours',
  light: 'Light',
  systemTheme: 'System theme',
  dark: 'Dark',
  breadcrumb: 'Breadcrumb',
  loading: 'Loading…',

  // Landing page
  questions: 'Questions and answers',
  waysToPay: 'Ways to pay',
  examples: 'Examples',
  earnMore: 'Earn more',
  inFigures: 'In figures',
  directions: 'Directions',
  partners: 'Partners',
  contacts: 'Contacts',
  oneCountry: 'Where we pay out',
  countries: { one: '{count} country', other: '{count} countries' },
  worldMap: 'Map of the world',
  worldMapBetween: {
    one: 'Map of the world with a line to {count} country',
    other: 'Map of the world with lines between {count} countries',
  },

  // Blog
  allArticles: 'All articles',
  categories: 'Categories',
  noArticles: 'There are no articles yet.',
  noArticlesHere: 'There are no articles here yet.',
  allInCategory: 'All',
  allInCategoryOf: 'All articles in {category}',
  pagesOfList: 'Pages of this list',
  tags: 'Tags',
  archive: 'Archive',
  months: 'Months',
  page: 'Page {page}',
  newer: 'Newer',
  older: 'Older',
  updated: 'Updated',
  readingTime: { one: '{count} min read', other: '{count} min read' },
  onThisPage: 'On this page',
  feed: 'RSS feed',
  readOn: 'Read on',
  copyLink: 'Copy link',
  copied: 'Copied',
  linkCopied: 'Link copied',
  shareByEmail: 'E-mail',
  share: 'Share',

  // Search
  search: 'Search',
  searchSite: 'Search this site',

  // Texts
  done: 'Done',
  toDo: 'To do',
  copyCode: 'Copy code',
  enlarge: 'Enlarge the picture',
  calloutNote: 'Note',
  calloutTip: 'Tip',
  calloutWarning: 'Warning',
  filmOf: 'Film on {provider}',
  playsFrom: 'Plays from {provider}',
  nextPicture: 'Next picture',
  lastPicture: 'Previous picture',
  customText: 'text {number}',

  // Forms
  name: 'Name',
  email: 'E-mail',
  company: 'Company',
  topic: 'Topic',
  message: 'Message',
  optional: '(optional)',
  trap: 'Leave this empty',
  privacyNote: 'Read {link}.',
  privacyLink: 'what we do with your data',
  sendMessage: 'Send message',
  subscribe: 'Subscribe',
  sending: 'Sending…',
  messageSent: 'Thank you. Your message has arrived, and a person will answer it.',
  subscribed: 'Thank you. You are on the list.',
  consent: 'Consent',
  subscribeFollows:
    'You will get an e-mail with a link. Only when you have opened it and pressed the button are you on the list.',
  subscribedConfirm:
    'Thank you. Please open the link in the e-mail that is on its way to you: only then are you on the list.',
  newsByEmail: 'News by e-mail',
  newsOf: 'What is new at {site}, from time to time. Leave whenever you like.',
  checkTyped: 'Please check what you typed.',
  notSent: 'Your message could not be sent. Nothing you typed is lost: please try again in a moment.',
  notSentOffline:
    'You seem to be offline. Nothing you typed is lost: please try again when you are connected.',

  // Errors
  pageNotFound: 'Page Not Found',
  internalError: 'Internal Server Error',
  request: 'Request',
  backToStart: 'Back to the start',
  tryAgain: 'Try again',
  suggestions: 'Perhaps you were looking for',
  offline: 'You are offline',
  offlineNote: 'This page will be loaded as soon as the connection is back.',
  pageFailed: 'This page cannot be loaded right now, so please try again in a moment.',
  foreignAnswer: 'Your network answered instead of this site.',
  redirectLoop: 'This address redirects in a loop.',
  notShown: 'Something went wrong while this page was shown.',

  // Scripts of other sites
  scriptsTitle: 'Scripts of other sites',
  scriptsAllowed: 'Scripts of other sites are allowed.',
  scriptsDeclined: 'Scripts of other sites are not allowed.',
  scriptsQuestion: 'May scripts of other sites be loaded?',
  scriptsNote:
    'They come from {hosts} and can see which pages you read. Nothing is loaded before you have chosen, and the site works without them.',
  scriptsChange: 'Change',
  decline: 'Decline',
  allow: 'Allow',
} as const;

export default en;
