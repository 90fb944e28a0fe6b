const { WORDS, catalogueFor, mailWords } = require('../site-rules.js');

const LOGO_HEIGHT = 28;

/**
 * @returns the e-mail of a message: to the subscriber who has to confirm, to the form's addressee, or to the
 *   office; null without an address. docs/editors.md says which.
 */
function mailFor(message, { mailTo, mailFrom, url }, site) {
  const isToSubscriber = Boolean(message.confirmUrl && mailFrom);
  const office = (mailFrom && message.to) || mailTo;
  if (!isToSubscriber && !office) return null;
  const catalogue = catalogueFor(isToSubscriber ? (message.language ?? 'en') : site.language) ?? 'en';
  const mail = isToSubscriber
    ? mailToSubscriber(message, catalogue)
    : mailToOffice(message, office, catalogue);
  return { ...mail, html: mailHtml(mail.text, [message.confirmUrl, message.leaveUrl], site, url) };
}

function mailToSubscriber({ email, confirmUrl, leaveUrl }, catalogue) {
  const { subject, text, otherwise } = mailWords[catalogue].confirm;
  const lines = [text, '', confirmUrl, ...(leaveUrl ? ['', otherwise, '', leaveUrl] : [])];
  return { to: email, subject, text: lines.join('\n') };
}

function mailToOffice({ form, message, to: _, ...fields }, to, catalogue) {
  const { subjects, consent, page } = mailWords[catalogue];
  const names = { ...WORDS[catalogue], consent, page };
  const lines = Object.entries(fields).map(([field, value]) => `${names[field] ?? field}: ${value}`);
  return {
    to,
    replyTo: fields.email,
    subject: subjects[form].replace(/\{(\w+)\}/, (_, field) => fields[field]),
    text: [...lines, ...(message ? ['', message] : [])].join('\n'),
  };
}

/** @param links the lines that are links. What a visitor writes is none. */
function mailHtml(text, links, { logo, name }, url) {
  const line = one =>
    one && links.includes(one) ? `<a href="${escaped(one)}">${escaped(one)}</a>` : escaped(one);
  const paragraphs = text
    .split('\n\n')
    .map(part => `<p dir="auto">${part.split('\n').map(line).join('<br>')}</p>`);
  return [...(url && logo ? [logoHtml(logo, name, url)] : []), ...paragraphs].join('\n');
}

function logoHtml({ width, height, url: path }, name, url) {
  const src = new URL(path, url).href;
  const shown = width && height ? ` width="${Math.round((LOGO_HEIGHT * width) / height)}"` : '';
  return `<p><img src="${escaped(src)}" alt="${escaped(name)}"${shown} height="${LOGO_HEIGHT}"></p>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
}

module.exports = { mailFor, mailHtml };
