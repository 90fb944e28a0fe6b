const UID = 'api::message.message';

/** The field of a subscription that each step sets. */
const FIELDS = { 'subscribe-confirm': 'confirmedAt', 'subscribe-leave': 'leftAt' };

/**
 * Notes on the subscriptions of an address that it was confirmed, or that it has left. A message that is
 * posted again notes the same; one whose entry was kept before a crash notes it at last. A subscription that
 * has left stays as it is: who comes back subscribes anew.
 */
async function noteStep(strapi, { form, email }) {
  const field = FIELDS[form];
  if (!field) return;
  const where = {
    form: 'subscribe',
    email,
    leftAt: null,
    ...(field === 'confirmedAt' && { confirmedAt: null }),
  };
  await strapi.db.query(UID).updateMany({ where, data: { [field]: new Date() } });
}

module.exports = { noteStep };
