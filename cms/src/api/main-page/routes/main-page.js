const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreRouter('api::main-page.main-page', {
  config: {
    find: { middlewares: ['global::guard-drafts'] },
  },
});
