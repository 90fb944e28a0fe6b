const { factories } = require('@strapi/strapi');

module.exports = factories.createCoreService('api::main-page.main-page');
