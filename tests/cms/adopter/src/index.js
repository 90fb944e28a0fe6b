const { fill } = require('./fill.js');

module.exports = {
  register() {},

  async bootstrap({ strapi }) {
    await fill(strapi);
    strapi.log.info(`${await strapi.db.query('api::article.article').count()} rows of articles are there.`);
  },
};
