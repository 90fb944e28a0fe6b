const { PREVIEW_TOKEN_NAME } = require('./bootstrap/tokens.js');
const types = require('./types.json');

const IMPORT_TOKEN_NAME = 'Site import';
const DRAFT_TOKENS = [PREVIEW_TOKEN_NAME, IMPORT_TOKEN_NAME];

const HANDLERS = new Set(types.flatMap(({ uid }) => [`${uid}.find`, `${uid}.findOne`]));

/**
 * Refuses drafts to all tokens but those for previews and imports: Strapi gives them to everybody who may
 * read published entries. Who asks is known after the route has answered.
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
