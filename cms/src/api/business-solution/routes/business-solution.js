const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreRouter('api::business-solution.business-solution', {
  config: {
    find: { middlewares: ['global::guard-drafts'] },
    findOne: { middlewares: ['global::guard-drafts'] },
  },
});
