const { env } = require('@strapi/utils');

/** The settings of docs/editors.md, from the environment or the lines of `.env`. */
function settings() {
  return {
    url: env('SITE_URL'),
    webhookUrl: env('SITE_WEBHOOK_URL', env('SITE_URL')),
    token: env('SITE_TOKEN'),
    previewToken: env('PREVIEW_TOKEN'),
    webhookSecret: env('WEBHOOK_SECRET'),
    problemsToken: env('PROBLEMS_TOKEN'),
    embedProviders: env('EMBED_PROVIDERS'),
    redirectHosts: env('REDIRECT_HOSTS'),
    locale: env('SITE_LOCALE', 'en'),
    forms: env('SITE_FORMS'),
    messagesDays: env('MESSAGES_DAYS'),
    mailTo: env('MAIL_TO'),
    mailFrom: env('MAIL_FROM'),
    editorsMail: env('EDITORS_MAIL'),
  };
}

module.exports = { settings };
