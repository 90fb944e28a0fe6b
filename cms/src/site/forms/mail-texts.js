const { WORDS, catalogueFor, mailWords } = require('../site-rules.js');

/** The height of a logo in pixels, as on the pages. */
const LOGO_HEIGHT = 28;

/**
 * @returns the one e-mail of a message; null for none. A subscription that has to be confirmed goes to the
 *   subscriber, with the link, if `MAIL_FROM` says from whom. All other messages go to the office, in the
 *   language of the site, if `MAIL_TO` says where that is.
 */
function mailFor(message, { mailTo, mailFrom, url }, site) {
  const isToSubscriber = Boolean(message.confirmUrl && mailFrom);
  if (!isToSubscriber && !mailTo) return null;
  const catalogue = catalogueFor(isToSubscriber ? (message.language ?? 'en') : site.language) ?? 'en';
  const mail = isToSubscriber
    ? mailToSubscriber(message, catalogue)
    : mailToOffice(message, mailTo, catalogue);
  const html = url && site.logo ? withLogo(mail.text, message, url, site) : undefined;
  return html === undefined ? mail : { ...mail, html };
}

function mailToSubscriber({ email, confirmUrl, leaveUrl }, catalogue) {
  const { subject, text, otherwise } = mailWords[catalogue].confirm;
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

/** @returns the text as HTML below the logo. Only the site's own two links are links. */
function withLogo(text, { confirmUrl, leaveUrl }, url, { logo, name }) {
  const src = new URL(logo.url, url).href;
  const width = logo.width && logo.height ? Math.round((LOGO_HEIGHT * logo.width) / logo.height) : null;
  const size = `${width ? ` width="${width}"` : ''} height="${LOGO_HEIGHT}"`;
  const line = one =>
    one && [confirmUrl, leaveUrl].includes(one)
      ? `<a href="${escaped(one)}">${escaped(one)}</a>`
      : escaped(one);
  const paragraphs = text
    .split('\n\n')
    .map(part => `<p dir="auto">${part.split('\n').map(line).join('<br>')}</p>`);
  return [`<p><img src="${escaped(src)}" alt="${escaped(name)}"${size}></p>`, ...paragraphs].join('\n');
}

function escaped(text) {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
}

module.exports = { mailFor };
