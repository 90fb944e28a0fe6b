const { settings } = require('../settings.js');
const types = require('../types.json');

const PREVIEW_TOKEN_NAME = 'Site preview';

/** Makes the site's two API tokens, or renews their values and permissions. */
async function ensureTokens(strapi) {
  const { token, previewToken } = settings();
  // The site asks for lists and single types alone: an entry is a list that is filtered by its slug.
  const reading = types.filter(({ uid }) => strapi.contentTypes[uid]).map(({ uid }) => `${uid}.find`);
  await ensureToken(strapi, {
    name: 'Site',
    description: 'The public site: reads published entries and hands over messages of the forms.',
    value: token,
    actions: [...reading, 'api::email.email.send'],
  });
  await ensureToken(strapi, {
    name: PREVIEW_TOKEN_NAME,
    description: 'The preview of the site: reads drafts, too.',
    value: previewToken,
    actions: reading,
  });
}

/** Strapi stores hashes. Values from the environment let site and CMS be set up together. */
async function ensureToken(strapi, { name, description, value, actions }) {
  if (!value) return;
  const tokens = strapi.db.query('admin::api-token');
  const accessKey = strapi.service('admin::api-token').hash(value);
  const fields = {
    description,
    kind: 'content-api',
    type: 'custom',
    lifespan: null,
    expiresAt: null,
    accessKey,
  };
  const found = await tokens.findOne({ where: { name }, populate: ['permissions'] });
  const token = found
    ? await tokens.update({ where: { id: found.id }, data: { ...fields, encryptedKey: null } })
    : await tokens.create({ data: { name, ...fields } });
  const known = found?.permissions.map(({ action }) => action) ?? [];
  for (const action of actions)
    if (!known.includes(action))
      await strapi.db.query('admin::api-token-permission').create({ data: { action, token: token.id } });
}

module.exports = { ensureTokens, PREVIEW_TOKEN_NAME };
