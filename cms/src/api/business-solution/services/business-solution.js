const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreService('api::business-solution.business-solution');
