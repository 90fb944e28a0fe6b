const { readyDrafts } = require('../documents/approval.js');
const { countOpen, messagesAsCsv } = require('../forms/inbox.js');
const { messageType } = require('../forms/message-type.js');
const { settings } = require('../settings.js');
const types = require('../types.json');

/** The time for the answer of the site, in ms. */
const WITHIN_MS = 5_000;

/** Adds the calls of the panel's own parts, for people who are signed in to the panel. */
function addPanelRoutes(strapi) {
  const route = (method, path, handler) => ({
    method,
    path,
    handler,
    config: { policies: ['admin::isAuthenticatedAdmin'] },
    info: { pluginName: 'admin' },
  });
  strapi.server.routes({
    type: 'admin',
    prefix: '/site',
    routes: [
      route('GET', '/uses/:uid', async ctx => {
        const { uid } = ctx.params;
        const isRedirect = uid === 'api::redirect.redirect';
        const uses = isRedirect ? (await problemsOfSite({})).redirectUses : await usesOf(strapi, uid);
        // Without a body the answer is a 404: the site does not answer, or is an older one.
        if (uses) ctx.body = uses;
      }),
      route('GET', '/problems', async ctx => {
        ctx.body = await problemsOfSite(ctx.query);
      }),
      route('GET', '/ready', async ctx => {
        ctx.body = { drafts: await readyDrafts(strapi, ctx.state.userAbility) };
      }),
      route(
        'GET',
        '/inbox',
        ofMessages(async () => ({ open: await countOpen(strapi) })),
      ),
      route(
        'GET',
        '/messages',
        ofMessages(async () => ({ csv: await messagesAsCsv(strapi) })),
      ),
    ],
  });
}

function ofMessages(read) {
  return async ctx => {
    if (ctx.state.userAbility.can('plugin::content-manager.explorer.read', messageType.uid))
      ctx.body = await read();
    else ctx.forbidden();
  };
}

/** @returns how many entries name each entry, by id. Drafts count, and each entry once. */
async function usesOf(strapi, uid) {
  const uses = {};
  if (!types.some(type => type.uid === uid)) return uses;
  for (const source of types.filter(({ storage }) => storage === 'collection')) {
    const { attributes = {}, options } = strapi.contentTypes[source.uid] ?? {};
    for (const [field, { type, target }] of Object.entries(attributes)) {
      if (type !== 'relation' || target !== uid) continue;
      const { tableName, attributes: columns } = strapi.db.metadata.get(source.uid);
      const { name, joinColumn, inverseJoinColumn } = columns[field].joinTable ?? {};
      if (!name) continue;
      const rows = strapi.db
        .getConnection(name)
        .join(tableName, `${tableName}.id`, `${name}.${joinColumn.name}`)
        .groupBy(`${name}.${inverseJoinColumn.name}`)
        .select({ id: `${name}.${inverseJoinColumn.name}` })
        .count({ uses: '*' });
      if (options?.draftAndPublish) rows.whereNull(`${tableName}.published_at`);
      for (const row of await rows) uses[row.id] = (uses[row.id] ?? 0) + Number(row.uses);
    }
  }
  return uses;
}

/** Asks the site, so that its token stays in the CMS. `missing` says why there is no answer. */
async function problemsOfSite({ model, id }) {
  const { webhookUrl, problemsToken } = settings();
  if (!webhookUrl || !problemsToken) return { missing: 'token' };
  const query = model && id ? `?${new URLSearchParams({ model, id })}` : '';
  try {
    const answer = await fetch(`${webhookUrl.replace(/\/$/, '')}/api/problems${query}`, {
      headers: { authorization: `Bearer ${problemsToken}` },
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    return answer.ok ? await answer.json() : { missing: answer.status };
  } catch {
    return { missing: 'site' };
  }
}

module.exports = { addPanelRoutes };
