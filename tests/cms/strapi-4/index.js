const { ensureAdminUser } = require('./bootstrap/admin-user.js');
const { importContent } = require('./import/import-content.js');
const { ensureTokens } = require('./site/bootstrap/tokens.js');
const { settings } = require('./site/settings.js');

/**
 * `src/index.js` of `cms/` for Strapi 4: the same types, tokens and content. Names that differ in Strapi 4
 * are mapped to those of Strapi 5.
 */
module.exports = {
  register({ strapi }) {
    strapi.documents = uid => ({
      async create({ data, status }) {
        const publishedAt = status === 'published' ? new Date() : null;
        const { id } = await strapi.entityService.create(uid, { data: { ...data, publishedAt } });
        return { documentId: id };
      },
    });
  },

  async bootstrap({ strapi }) {
    const uploads = strapi.plugin('upload').service('upload');
    const { upload } = uploads;
    uploads.upload = ({ data, files: { filepath, originalFilename, mimetype, size } }) =>
      upload.call(uploads, { data, files: { path: filepath, name: originalFilename, type: mimetype, size } });
    await ensureAdminUser(strapi);
    await ensureTokens(strapi);
    await importContent(strapi);
    const { url, webhookSecret } = settings();
    const webhook = await strapi.webhookStore.createWebhook({
      name: 'Site',
      url: `${url}/webhooks/content`,
      headers: { Authorization: `Bearer ${webhookSecret}` },
      events: ['entry.create', 'entry.update', 'entry.delete', 'entry.publish', 'entry.unpublish'],
      isEnabled: true,
    });
    strapi.webhookRunner.add(webhook);
  },
};
