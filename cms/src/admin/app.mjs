/**
 * Keeps what an editor has typed when the CMS refuses to save it. Strapi's panel puts typed values into its
 * copy of the entry before the answer comes, takes them out again after a refusal, and fills the form anew
 * from that copy. Without both steps the form stays as it is.
 */
const keepTyped = () => next => action => {
  const isPatch = action?.type === 'adminApi/queries/queryResultPatched';
  return isPatch && action.payload.queryCacheKey.startsWith('getDocument(') ? undefined : next(action);
};

export default {
  register(app) {
    app.addMiddlewares([() => keepTyped]);
  },
  bootstrap() {},
};
