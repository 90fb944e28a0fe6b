const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreController('api::business-solution.business-solution');
