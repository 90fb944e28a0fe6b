/** The words that the server alone says, in English: titles, refusals, and the names of statuses (RFC 9110, 15). */
const enAnswers = {
  // Blog
  blog: 'Blog',
  blogOf: '{site} – Blog',
  articlesTagged: 'Articles tagged “{tag}”',
  titleOfPage: '{title}, page {page}',

  // Forms
  checkFields: 'Please check the marked fields.',
  trapFilled: 'This must stay empty, and something had filled it in. Please send the form once more.',
  tooSoon: 'This was sent sooner than anybody can type. Please send it once more.',
  tooManyMessages:
    'Too many messages have come from your network. Nothing you typed is lost: please try again in ten minutes.',
  notAccepted:
    'Your message could not be sent right now. Nothing you typed is lost: please try again in a moment.',
  messageNotSent: 'Your message has not been sent',
  send: 'Send',

  // Errors
  home: 'Home',
  notFound: 'Page not found: {path}',
  siteBusy: 'The site is very busy right now. Please try again in a moment.',
  unreadableRequest: 'The server could not read this request.',
  ourFault: 'Something went wrong on our side.',
  tooSlow: 'This page takes too long. Please try again in a moment.',
  wrongAddress: 'The address cannot be read.',
  onlyReading: 'This address can only be read.',
  tooLarge: 'This is more than can be sent to this address.',
  foreignForm: 'This form can only be sent from the site itself.',
  onlyForms: 'This address accepts the forms of the site, by POST alone.',
  onlyFormTypes: 'This address accepts JSON and plain form posts.',
  status400: 'Bad Request',
  status401: 'Unauthorized',
  status403: 'Forbidden',
  status405: 'Method Not Allowed',
  status408: 'Request Timeout',
  status413: 'Payload Too Large',
  status414: 'URI Too Long',
  status415: 'Unsupported Media Type',
  status421: 'Misdirected Request',
  status422: 'Unprocessable Entity',
  status429: 'Too Many Requests',
  status500: 'Internal Server Error',
  status502: 'Bad Gateway',
  status503: 'Service Unavailable',
  status504: 'Gateway Timeout',
  contentMissing: 'The content of this page cannot be loaded right now. Please try again in a moment.',
} as const;

export default enAnswers;
