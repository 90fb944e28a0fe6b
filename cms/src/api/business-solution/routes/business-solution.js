const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreRouter('api::business-solution.business-solution');
