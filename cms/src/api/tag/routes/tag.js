const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreRouter('api::tag.tag', {
  config: {
    find: { middlewares: ['global::guard-drafts'] },
    findOne: { middlewares: ['global::guard-drafts'] },
  },
});
