const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreRouter('api::article.article', {
  config: {
    find: { middlewares: ['global::guard-drafts'] },
    findOne: { middlewares: ['global::guard-drafts'] },
  },
});
