const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreRouter('api::settings.settings', {
  config: {
    find: { middlewares: ['global::guard-drafts'] },
  },
});
