/**
 * Takes all permissions from the public role, once: the site reads with its token, and nobody registers.
 * Permissions that an administrator gives later stay.
 */
async function closePublicRole(strapi) {
  const store = strapi.store({ type: 'core', name: 'site', key: 'public-role-closed' });
  if (await store.get()) return;
  const role = await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } });
  await strapi.db.query('plugin::users-permissions.permission').deleteMany({ where: { role: role.id } });
  const settings = strapi.store({ type: 'plugin', name: 'users-permissions', key: 'advanced' });
  await settings.set({ value: { ...(await settings.get()), allow_register: false } });
  await store.set({ value: true });
}

module.exports = { closePublicRole };
