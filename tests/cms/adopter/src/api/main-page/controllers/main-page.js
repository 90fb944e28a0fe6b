const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreController('api::main-page.main-page');
