const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreRouter('api::landing.landing', {
  config: {
    find: { middlewares: ['global::guard-drafts'] },
  },
});
