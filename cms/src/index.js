const { ensureAdminUser } = require('./bootstrap/admin-user.js');
const { closePublicRole } = require('./bootstrap/public-role.js');
const { importContent } = require('./import/import-content.js');

module.exports = {
  async bootstrap({ strapi }) {
    await closePublicRole(strapi);
    await ensureAdminUser(strapi);
    await importContent(strapi);
  },
};

require('./site')(module.exports);
