const { noteStep } = require('./note-step.js');
const { mailFor } = require('./mail-texts.js');
const { settings } = require('../settings.js');
const { siteOf } = require('../site-of.js');

const UID = 'api::message.message';
/**
 * How long one process has the right to mail a message: longer than a mail server may take. After it another
 * process may mail a message whose process has ended.
 */
const LEASE_MS = 15 * 60_000;
/** Messages that are being accepted, by key: two posts with one key send one mail. */
const inFlight = new Map();

/**
 * Keeps a message as an entry, notes on the subscriptions of its address what has become of them, and mails
 * it (`mailFor`). The entry with its unique key comes first: a post that is repeated after a crash, or after
 * a mail that failed, finds it and sends the mail alone.
 * @returns false if another process is mailing the message, whose end is not known yet: the site then posts
 *   the message again.
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
  const { id, mailedAt } = await keep(strapi, key, message);
  await noteStep(strapi, message);
  const mail = mailFor(message, settings(), await siteOf(strapi));
  if (!mail || mailedAt) return true;
  const messages = strapi.db.query(UID);
  if (!(await takeLease(messages, id))) return Boolean((await messages.findOne({ where: { id } })).mailedAt);
  try {
    await strapi.plugin('email').service('email').send(mail);
  } catch (error) {
    await messages.update({ where: { id }, data: { mailingSince: null } });
    throw error;
  }
  await messages.update({ where: { id }, data: { mailedAt: new Date() } });
  return true;
}

/**
 * Takes the right to mail a message in one statement of the database, because several processes may try it at
 * once.
 */
async function takeLease(messages, id) {
  const isFree = [{ mailingSince: null }, { mailingSince: { $lt: new Date(Date.now() - LEASE_MS) } }];
  const where = { id, mailedAt: null, $or: isFree };
  const { count } = await messages.updateMany({ where, data: { mailingSince: new Date() } });
  return count === 1;
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

module.exports = { acceptMessage };
