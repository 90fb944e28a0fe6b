const { settings } = require('../settings.js');
const { messageType } = require('./message-type.js');

const { uid: UID } = messageType;
const CREATE = 'plugin::content-manager.explorer.create';
const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const COLUMNS = [
  'createdAt',
  'done',
  'form',
  'name',
  'email',
  'company',
  'topic',
  'page',
  'to',
  'message',
  'consent',
  'language',
  'confirmedAt',
  'leftAt',
  // Each newsletter names it.
  'leaveUrl',
];
const MOST_ROWS = 50_000;

/** Keeps secret links and keys from the panel and from all tokens. */
function hideSecrets(strapi) {
  const type = strapi.contentTypes[UID];
  if (!type) return;
  const hidden = messageType.hidden.filter(field => type.attributes[field]);
  const secret = { private: true, visible: false, searchable: false };
  for (const field of hidden) Object.assign(type.attributes[field], secret);
  type.config = { attributes: Object.fromEntries(hidden.map(field => [field, { hidden: true }])) };
}

/** Lets nobody write messages in the panel, and deletes old ones. */
async function openInbox(strapi) {
  if (!strapi.contentTypes[UID]) return;
  const create = strapi.service('admin::permission').actionProvider.get(CREATE);
  create.subjects = create.subjects.filter(subject => subject !== UID);
  await strapi.db.query('admin::permission').deleteMany({ where: { action: CREATE, subject: UID } });
  const days = Number(settings().messagesDays);
  if (!(days > 0)) return;
  const clean = () => deleteOld(strapi, days).catch(error => strapi.log.error(`Messages: ${error.message}`));
  await clean();
  setInterval(clean, HOUR_MS).unref();
}

/** Deletes messages over an age. The subscriptions to which newsletters go stay. */
async function deleteOld(strapi, days) {
  const isOver = [
    { form: { $ne: 'subscribe' } },
    { leftAt: { $notNull: true } },
    { confirmUrl: { $notNull: true }, confirmedAt: { $null: true } },
  ];
  const where = { createdAt: { $lt: new Date(Date.now() - days * DAY_MS) }, $or: isOver };
  const { count } = await strapi.db.query(UID).deleteMany({ where });
  if (count > 0) strapi.log.info(`Messages: deleted ${count} that were older than ${days} days.`);
}

/** @returns the number of messages that are not done. Later steps of a subscription need no work. */
function countOpen(strapi) {
  const where = {
    form: { $in: ['contact', 'subscribe', 'page-form'] },
    $or: [{ done: false }, { done: { $null: true } }],
  };
  return strapi.db.query(UID).count({ where });
}

async function messagesAsCsv(strapi) {
  const rows = await strapi.db
    .query(UID)
    .findMany({ select: COLUMNS, orderBy: { createdAt: 'desc' }, limit: MOST_ROWS });
  return [COLUMNS, ...rows.map(row => COLUMNS.map(column => row[column]))]
    .map(cells => cells.map(cellOf).join(','))
    .join('\r\n');
}

function cellOf(value) {
  const text = value instanceof Date ? value.toISOString() : String(value ?? '');
  // A spreadsheet runs a text that begins so as a formula.
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

module.exports = { countOpen, hideSecrets, messagesAsCsv, openInbox };
