/** Makes the first administrator from `ADMIN_EMAIL` and `ADMIN_PASSWORD`. Without them the panel asks its first visitor to register. */
async function ensureAdminUser(strapi) {
  const { adminEmail: email, adminPassword: password } = strapi.config.get('site');
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
