const { PREVIEW_TOKEN_NAME } = require('../bootstrap/tokens.js');

/** Strapi gives drafts to everybody who may read published entries. This refuses `status=draft` to all but the token for previews. */
module.exports = () => (ctx, next) => {
  const { status } = ctx.query;
  const wantsDrafts = status !== undefined && status !== 'published';
  if (wantsDrafts && ctx.state.auth?.credentials?.name !== PREVIEW_TOKEN_NAME)
    return ctx.forbidden(`Drafts are for the API token “${PREVIEW_TOKEN_NAME}” alone.`);
  return next();
};
