/**
 * Takes all permissions from the public role, once: the site reads with its token, and nobody registers. Permissions that an administrator
 * gives later stay.
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

/**
 * Gives the roles Editor and Author the types and fields that a new version of the project brings. Strapi gives a new role the types of
 * the first start alone, and lists their fields one by one. Permissions that an administrator has taken away stay away.
 */
async function extendRoles(strapi) {
  const store = strapi.store({ type: 'core', name: 'site', key: 'offered-permissions' });
  const offered = await store.get();
  const wanted = contentPermissions(strapi);
  if (offered) {
    await extendRole(strapi, 'strapi-editor', wanted, offered, []);
    const ownOnly = wanted.filter(({ action }) => !action.endsWith('.publish'));
    await extendRole(strapi, 'strapi-author', ownOnly, offered, ['admin::is-creator']);
  }
  await store.set({ value: wanted });
}

function contentPermissions(strapi) {
  const permissions = strapi.service('admin::permission');
  const actions = permissions.actionProvider.values().filter(({ section }) => section === 'contentTypes');
  return strapi
    .service('admin::content-type')
    .getPermissionsWithNestedFields(actions)
    .filter(({ subject }) => subject?.startsWith('api::'))
    .map(({ action, subject, properties }) => ({ action, subject, fields: properties?.fields ?? null }));
}

async function extendRole(strapi, code, wanted, offered, conditions) {
  const role = await strapi.db.query('admin::role').findOne({ where: { code }, populate: ['permissions'] });
  if (!role) return;
  const same = one => other => one.action === other.action && one.subject === other.subject;
  const added = wanted.filter(one => !offered.some(same(one)));
  await strapi.service('admin::role').addPermissions(
    role.id,
    added.map(({ action, subject, fields }) => ({
      action,
      subject,
      conditions,
      properties: fields ? { fields } : {},
    })),
  );
  for (const one of wanted) {
    const before = offered.find(same(one))?.fields;
    const held = role.permissions.find(same(one));
    const fields = before && held ? one.fields.filter(field => !before.includes(field)) : [];
    if (fields.length === 0) continue;
    const properties = { ...held.properties, fields: [...(held.properties?.fields ?? []), ...fields] };
    await strapi.db.query('admin::permission').update({ where: { id: held.id }, data: { properties } });
  }
}

module.exports = { closePublicRole, extendRoles };
