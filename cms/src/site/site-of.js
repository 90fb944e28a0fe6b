const { settings } = require('./settings.js');

/** @returns language, name and logo of the settings. A form of an older project may have no logo. */
async function siteOf(strapi) {
  const SETTINGS = 'api::settings.settings';
  const type = strapi.contentTypes[SETTINGS];
  const populate = type?.attributes.logo ? ['logo'] : [];
  const found = type && (await strapi.documents(SETTINGS).findFirst({ populate }));
  const language = found?.language?.trim() || settings().locale;
  return { language, name: found?.siteName ?? '', logo: found?.logo ?? null };
}

module.exports = { siteOf };
