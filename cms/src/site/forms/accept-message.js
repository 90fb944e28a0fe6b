const { mailFor } = require('./mail-texts.js');
const { settings } = require('../settings.js');
const { siteOf } = require('../site-of.js');

const UID = 'api::message.message';
/** The time for a mail server. After it another process may mail the message. */
const LEASE_MS = 15 * 60_000;
/** The field of a subscription that each later step sets. */
const STEPS = { 'subscribe-confirm': 'confirmedAt', 'subscribe-leave': 'leftAt' };
/** Messages in work, by key: two posts with one key send one mail. */
const inFlight = new Map();

/**
 * Keeps a message as an entry with a unique key, and mails it. A post that is repeated after a crash or a
 * failed mail sends the mail alone.
 * @returns false if another process is mailing the message.
 * @throws Error if the mail could not be sent.
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

/** Takes the right to mail in one statement, because several processes may try it at once. */
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

/**
 * Notes on the subscriptions of an address that it was confirmed or has left. Repeated posts note the same.
 * Who comes back subscribes anew.
 */
async function noteStep(strapi, { form, email }) {
  const field = STEPS[form];
  if (!field) return;
  const where = {
    form: 'subscribe',
    email,
    leftAt: null,
    ...(field === 'confirmedAt' && { confirmedAt: null }),
  };
  await strapi.db.query(UID).updateMany({ where, data: { [field]: new Date() } });
}

module.exports = { acceptMessage };
