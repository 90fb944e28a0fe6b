/** The settings of this project, which is one side of the site: docs/editors.md lists them. */
module.exports = ({ env }) => ({
  url: env('SITE_URL'),
  token: env('SITE_TOKEN'),
  previewToken: env('PREVIEW_TOKEN'),
  webhookSecret: env('WEBHOOK_SECRET'),
  adminEmail: env('ADMIN_EMAIL'),
  adminPassword: env('ADMIN_PASSWORD'),
  mailTo: env('MAIL_TO'),
  mailFrom: env('MAIL_FROM'),
  importFrom: env('CMS_IMPORT'),
});
