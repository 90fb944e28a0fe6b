const { env } = require('@strapi/utils');

/** Makes the first administrator. Without the variables the panel asks its first visitor to register. */
async function ensureAdminUser(strapi) {
  const email = env('ADMIN_EMAIL');
  const password = env('ADMIN_PASSWORD');
  if (!email || !password || (await strapi.service('admin::user').exists())) return;
  const superAdmin = await strapi.service('admin::role').getSuperAdmin();
  await strapi.service('admin::user').create({
    email,
    password,
    firstname: 'Site',
    lastname: 'Administrator',
    registrationToken: null,
    isActive: true,
    roles: [superAdmin.id],
  });
}

module.exports = { ensureAdminUser };
