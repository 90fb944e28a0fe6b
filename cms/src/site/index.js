const { setForms } = require('./bootstrap/forms.js');
const { extendRoles } = require('./bootstrap/roles.js');
const { ensureTokens } = require('./bootstrap/tokens.js');
const { ensureWebhook, keepMessagesFromWebhooks } = require('./bootstrap/webhook.js');
const { keepChoices, offerChoices } = require('./choices.js');
const { watchReady } = require('./documents/approval.js');
const { keepAddresses, openAddresses, proposeAddresses } = require('./documents/addresses.js');
const { keepCategoriesInUse } = require('./documents/check-removal.js');
const { checkRedirects } = require('./documents/check-redirect.js');
const { checkSaved } = require('./documents/check-saved.js');
const { nameFormerRows, nameRows } = require('./documents/name-rows.js');
const { completeOnPublish } = require('./documents/on-publish.js');
const { addFormsRoute } = require('./forms/forms-route.js');
const { hideSecrets, openInbox } = require('./forms/inbox.js');
const { guardDrafts } = require('./guard-drafts.js');
const { keepFilesInUse } = require('./keep-files.js');
const { addPanelRoutes } = require('./panel/routes.js');

/**
 * All code that the site needs in Strapi. This line at the end of `src/index.js` or `src/index.ts` adds it:
 *     require('./site')(module.exports);
 * `npm run cms:types` renews this folder in a Strapi project: changes belong elsewhere.
 */
module.exports = exported => {
  const app = exported.default ?? exported;
  const { register, bootstrap } = app;
  /** The types of the last start; undefined in a new database. */
  let typesBefore;

  app.register = async context => {
    const { strapi } = context;
    await register?.(context);
    strapi.hook('strapi::content-types.afterSync').register(({ oldContentTypes }) => {
      typesBefore = oldContentTypes;
    });
    addFormsRoute(strapi);
    addPanelRoutes(strapi);
    hideSecrets(strapi);
    guardDrafts(strapi);
    openAddresses(strapi);
    offerChoices(strapi);
    keepAddresses(strapi);
    watchReady(strapi);
    completeOnPublish(strapi);
    keepCategoriesInUse(strapi);
    checkRedirects(strapi);
    nameRows(strapi);
    checkSaved(strapi);
  };

  app.bootstrap = async context => {
    const { strapi } = context;
    await bootstrap?.(context);
    await openInbox(strapi);
    await extendRoles(strapi, typesBefore);
    await setForms(strapi, typesBefore);
    await nameFormerRows(strapi);
    await ensureTokens(strapi);
    await ensureWebhook(strapi);
    keepMessagesFromWebhooks(strapi);
    proposeAddresses(strapi);
    await keepChoices(strapi);
    keepFilesInUse(strapi);
  };
};
