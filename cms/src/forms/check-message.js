/** The longest value of each field, as the site's own check has it. */
const MAX_LENGTHS = { name: 120, email: 254, company: 200, topic: 200, message: 5000 };
const NEEDED = { contact: ['name', 'email', 'message'], subscribe: ['email'] };
/** The fields become lines of an e-mail. A line break in one of them could begin another header. */
const LINE_BREAK = /[\r\n]/;

/** @returns the fields of a message, or a sentence that names the field which is wrong. Fields that no form has are left out. */
function checkMessage(body) {
  const message = { form: body.form };
  for (const [field, maximum] of Object.entries(MAX_LENGTHS)) {
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
  const [local, domain, ...rest] = message.email.split('@');
  if (!local || !domain || rest.length > 0) return { problem: 'The field “email” is no e-mail address.' };
  return { message };
}

module.exports = { checkMessage };
