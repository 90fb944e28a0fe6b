const { ensureAdminUser } = require('./bootstrap/admin-user.js');
const { setLabels } = require('./bootstrap/labels.js');
const { closePublicRole, extendRoles } = require('./bootstrap/roles.js');
const { ensureTokens } = require('./bootstrap/tokens.js');
const { ensureWebhook, keepMessagesFromWebhooks } = require('./bootstrap/webhook.js');
const { checkRedirects } = require('./documents/check-redirect.js');
const { nameOwnTexts } = require('./documents/name-own-texts.js');
const { completeOnPublish } = require('./documents/on-publish.js');
const { importContent } = require('./import/import-content.js');

module.exports = {
  register({ strapi }) {
    completeOnPublish(strapi);
    checkRedirects(strapi);
    nameOwnTexts(strapi);
  },

  async bootstrap({ strapi }) {
    await closePublicRole(strapi);
    await extendRoles(strapi);
    await setLabels(strapi);
    await ensureAdminUser(strapi);
    await ensureTokens(strapi);
    // The content comes before the webhook: the site need not hear of each imported entry.
    await importContent(strapi);
    await ensureWebhook(strapi);
    keepMessagesFromWebhooks(strapi);
  },
};
