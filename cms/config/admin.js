const { previewUrl } = require('../src/site/preview-url.js');

module.exports = ({ env }) => ({
  auth: { secret: env('ADMIN_JWT_SECRET') },
  apiToken: { salt: env('API_TOKEN_SALT') },
  transfer: { token: { salt: env('TRANSFER_TOKEN_SALT') } },
  secrets: { encryptionKey: env('ENCRYPTION_KEY') },
  // Without the panel nothing has to be built. The tests of the API run so.
  serveAdminPanel: env.bool('SERVE_ADMIN', true),
  flags: { nps: false, promoteEE: false },
  preview: {
    enabled: Boolean(env('SITE_URL') && env('PREVIEW_SECRET')),
    config: {
      allowedOrigins: env('SITE_URL') ? [new URL(env('SITE_URL')).origin] : [],
      handler: (uid, { documentId, status }) =>
        previewUrl(uid, { documentId, status, siteUrl: env('SITE_URL'), secret: env('PREVIEW_SECRET') }),
    },
  },
});
