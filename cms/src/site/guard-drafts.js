const { PREVIEW_TOKEN_NAME } = require('./bootstrap/tokens.js');
const types = require('./types.json');

/** The handlers of the routes that read content of the site. */
const HANDLERS = new Set(types.flatMap(({ uid }) => [`${uid}.find`, `${uid}.findOne`]));

/**
 * Strapi gives drafts to everybody who may read published entries. This refuses `status=draft` to all but the
 * token for previews. Who asks is known after the route has answered.
 */
function guardDrafts(strapi) {
  strapi.server.api('content-api').use(async (ctx, next) => {
    await next();
    const { auth, route } = ctx.state;
    const { status } = ctx.query;
    const wantsDrafts = status !== undefined && status !== 'published';
    if (wantsDrafts && HANDLERS.has(route?.handler) && auth?.credentials?.name !== PREVIEW_TOKEN_NAME)
      ctx.forbidden(`Drafts are for the API token “${PREVIEW_TOKEN_NAME}” alone.`);
  });
}

module.exports = { guardDrafts };
