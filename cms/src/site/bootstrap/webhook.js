const { settings } = require('../settings.js');

const NAME = 'Site';
const MESSAGE = 'api::message.message';
const EVENTS = [
  ...['entry.create', 'entry.update', 'entry.delete', 'entry.publish', 'entry.unpublish'],
  ...['media.create', 'media.update', 'media.delete'],
];

/**
 * Tells the site of each change. The panel refuses private addresses in production; the store accepts them.
 */
async function ensureWebhook(strapi) {
  const { webhookUrl, webhookSecret } = settings();
  if (!webhookUrl || !webhookSecret) return;
  const store = strapi.get('webhookStore');
  const wanted = {
    name: NAME,
    url: `${webhookUrl.replace(/\/$/, '')}/webhooks/content`,
    headers: { Authorization: `Bearer ${webhookSecret}` },
    events: EVENTS,
  };
  const found = (await store.findWebhooks()).find(({ name }) => name === NAME);
  const webhook = found
    ? await store.updateWebhook(found.id, { ...wanted, isEnabled: found.isEnabled })
    : await store.createWebhook(wanted);
  // The runner has read the store before, and would know the webhook only after a restart.
  const runner = strapi.get('webhookRunner');
  if (found) runner.update(webhook);
  else runner.add(webhook);
}

/** Keeps the words of visitors' messages from all webhooks. */
function keepMessagesFromWebhooks(strapi) {
  const runner = strapi.get('webhookRunner');
  const { run } = runner;
  runner.run = async (webhook, event, info = {}) =>
    info.uid === MESSAGE ? { statusCode: 204 } : run.call(runner, webhook, event, info);
}

module.exports = { ensureWebhook, keepMessagesFromWebhooks };
