const types = require('../types.json');

const UIDS = new Set([...types.map(({ uid }) => uid), 'api::message.message']);

/**
 * Gives the roles Editor and Author the types and fields of a new version. Strapi gives a new role those of
 * its first start alone. Permissions that were taken away stay away.
 * @param typesBefore the types of the last start, for a project that has this folder for the first time.
 */
async function extendRoles(strapi, typesBefore) {
  const store = strapi.store({ type: 'core', name: 'site', key: 'offered-permissions' });
  const wanted = contentPermissions(strapi);
  const offered = (await store.get()) ?? (typesBefore && permissionsBefore(wanted, typesBefore));
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
    .filter(({ subject }) => UIDS.has(subject))
    .map(({ action, subject, properties }) => ({ action, subject, fields: properties?.fields ?? null }));
}

function permissionsBefore(wanted, typesBefore) {
  return wanted
    .filter(({ subject }) => typesBefore[subject])
    .map(one => {
      const { attributes } = typesBefore[one.subject];
      return { ...one, fields: one.fields?.filter(field => field.split('.', 1)[0] in attributes) ?? null };
    });
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

module.exports = { extendRoles };
