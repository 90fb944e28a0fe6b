/** The longest value of each field, as the site's own check has it. */
const MAX_LENGTHS = {
  ...{ name: 120, email: 254, company: 200, topic: 200, message: 5000 },
  ...{ consent: 1000, language: 40, confirmUrl: 2000, leaveUrl: 2000 },
  ...{ to: 254, page: 2000 },
};
/** The longest answers to a form that editors build. */
const MAX_ANSWERS = 20_000;
/** The fields that a message of each form must have. */
const NEEDED = {
  contact: ['name', 'email', 'message'],
  subscribe: ['email'],
  'subscribe-confirm': ['email'],
  'subscribe-leave': ['email'],
  'page-form': ['topic', 'message'],
};
const FORMS = Object.keys(NEEDED);
/** The fields with the addresses of the site that an e-mail to the subscriber shows. */
const LINKS = ['confirmUrl', 'leaveUrl'];
/** The fields become lines of an e-mail. A line break in one of them could begin another header. */
const LINE_BREAK = /[\r\n]/;

/**
 * @returns the fields of a message, or a sentence that names the field which is wrong. Fields that no form
 *   has are left out.
 */
function checkMessage(body) {
  const message = { form: body.form };
  for (const [field, usual] of Object.entries(MAX_LENGTHS)) {
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
