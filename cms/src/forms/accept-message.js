const UID = 'api::message.message';
/** Messages that are being accepted, by key: two posts with one key send one mail. */
const inFlight = new Map();

/**
 * Keeps a message as an entry, and mails it if `MAIL_TO` says to whom. The entry with its unique key comes first: a post that is repeated
 * after a crash, or after a mail that failed, finds it and sends the mail alone.
 * @throws Error if the mail could not be sent: the site then posts the message again.
 */
async function acceptMessage(strapi, key, message) {
  const running = inFlight.get(key);
  if (running) return running;
  const accepting = keepAndMail(strapi, key, message).finally(() => inFlight.delete(key));
  inFlight.set(key, accepting);
  return accepting;
}

async function keepAndMail(strapi, key, message) {
  const entry = await keep(strapi, key, message);
  const { mailTo } = strapi.config.get('site');
  if (!mailTo || entry.mailedAt) return;
  await strapi.plugin('email').service('email').send(mailOf(message, mailTo));
  await strapi.db.query(UID).update({ where: { id: entry.id }, data: { mailedAt: new Date() } });
}

async function keep(strapi, key, message) {
  const where = { idempotencyKey: key };
  const known = await strapi.db.query(UID).findOne({ where });
  if (known) return known;
  try {
    return await strapi.documents(UID).create({ data: { ...message, idempotencyKey: key } });
  } catch (error) {
    // Another process has kept it in the meantime: the column is unique.
    const kept = await strapi.db.query(UID).findOne({ where });
    if (kept) return kept;
    throw error;
  }
}

function mailOf({ form, message, ...fields }, to) {
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}`);
  return {
    to,
    replyTo: fields.email,
    subject: form === 'subscribe' ? `Subscription: ${fields.email}` : `Message from ${fields.name}`,
    text: [...lines, ...(message ? ['', message] : [])].join('\n'),
  };
}

module.exports = { acceptMessage };
