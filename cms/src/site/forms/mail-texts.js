const { WORDS, catalogueFor, mailWords } = require('../site-rules.js');

/**
 * @returns the one e-mail of a message; null for none. A subscription that has to be confirmed goes to the
 *   subscriber, with the link, if `MAIL_FROM` says from whom. All other messages go to the office, in the
 *   language of the site, if `MAIL_TO` says where that is.
 */
function mailFor(message, { mailTo, mailFrom }, siteLanguage) {
  if (message.confirmUrl && mailFrom) return mailToSubscriber(message);
  return mailTo ? mailToOffice(message, mailTo, catalogueFor(siteLanguage) ?? 'en') : null;
}

function mailToSubscriber({ email, language = 'en', confirmUrl, leaveUrl }) {
  const { subject, text, otherwise } = mailWords[catalogueFor(language) ?? 'en'].confirm;
  const lines = [text, '', confirmUrl, ...(leaveUrl ? ['', otherwise, '', leaveUrl] : [])];
  return { to: email, subject, text: lines.join('\n') };
}

function mailToOffice({ form, message, ...fields }, to, catalogue) {
  const { subjects, consent } = mailWords[catalogue];
  const names = { ...WORDS[catalogue], consent };
  const lines = Object.entries(fields).map(([field, value]) => `${names[field] ?? field}: ${value}`);
  return {
    to,
    replyTo: fields.email,
    subject: subjects[form].replace(/\{(\w+)\}/, (_, field) => fields[field]),
    text: [...lines, ...(message ? ['', message] : [])].join('\n'),
  };
}

module.exports = { mailFor };
