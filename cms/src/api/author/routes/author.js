const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreRouter('api::author.author', {
  config: {
    find: { middlewares: ['global::guard-drafts'] },
    findOne: { middlewares: ['global::guard-drafts'] },
  },
});
