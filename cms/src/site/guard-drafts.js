const { PREVIEW_TOKEN_NAME } = require('./bootstrap/tokens.js');
const types = require('./types.json');

/** An import has to know which drafts are there. */
const IMPORT_TOKEN_NAME = 'Site import';
const DRAFT_TOKENS = [PREVIEW_TOKEN_NAME, IMPORT_TOKEN_NAME];

/** The handlers of the routes that read content of the site. */
const HANDLERS = new Set(types.flatMap(({ uid }) => [`${uid}.find`, `${uid}.findOne`]));

/**
 * Strapi gives drafts to everybody who may read published entries. This refuses `status=draft` to all but the
 * tokens for previews and imports. Who asks is known after the route has answered.
 */
function guardDrafts(strapi) {
  strapi.server.api('content-api').use(async (ctx, next) => {
    await next();
    const { auth, route } = ctx.state;
    const { status } = ctx.query;
    const wantsDrafts = status !== undefined && status !== 'published';
    if (wantsDrafts && HANDLERS.has(route?.handler) && !DRAFT_TOKENS.includes(auth?.credentials?.name))
      ctx.forbidden(`Drafts are for the API token “${PREVIEW_TOKEN_NAME}” alone.`);
  });
}

module.exports = { guardDrafts };
