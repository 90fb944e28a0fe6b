const { MAX_LENGTHS } = require('../site-rules.js');

const LIMITS = {
  ...MAX_LENGTHS,
  language: 40,
  confirmUrl: 2000,
  leaveUrl: 2000,
  to: MAX_LENGTHS.email,
  page: 2000,
};
const MAX_ANSWERS = 20_000;
/** The fields that each form must have. */
const NEEDED = {
  contact: ['name', 'email', 'message'],
  subscribe: ['email'],
  'subscribe-confirm': ['email'],
  'subscribe-leave': ['email'],
  'page-form': ['topic', 'message'],
};
const FORMS = Object.keys(NEEDED);
/** Fields with links of an e-mail. */
const LINKS = ['confirmUrl', 'leaveUrl'];
/** A line break in a line of an e-mail could begin another header. */
const LINE_BREAK = /[\r\n]/;

/** @returns the fields that forms have, or a sentence about a wrong one. */
function checkMessage(body) {
  const message = { form: body.form };
  for (const [field, usual] of Object.entries(LIMITS)) {
    const maximum = field === 'message' && body.form === 'page-form' ? MAX_ANSWERS : usual;
    const value = body[field] ?? '';
    if (typeof value !== 'string') return { problem: `The field “${field}” must be a text.` };
    if (value.length > maximum)
      return { problem: `The field “${field}” has more than ${maximum} characters.` };
    if (field !== 'message' && LINE_BREAK.test(value))
      return { problem: `The field “${field}” must be one line.` };
    if (value.trim() !== '') message[field] = value;
  }
  const missing = NEEDED[body.form].find(field => !message[field]);
  if (missing) return { problem: `The field “${missing}” is missing.` };
  const broken = LINKS.find(field => message[field] && !isWebAddress(message[field]));
  if (broken) return { problem: `The field “${broken}” is no http(s) address.` };
  const wrong = ['email', 'to'].find(field => message[field] && !isMailAddress(message[field]));
  if (wrong) return { problem: `The field “${wrong}” is no e-mail address.` };
  return { message };
}

function isMailAddress(text) {
  const [local, domain, ...rest] = text.split('@');
  return Boolean(local && domain) && rest.length === 0;
}

function isWebAddress(text) {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

module.exports = { FORMS, checkMessage };
