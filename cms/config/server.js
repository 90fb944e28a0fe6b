const fs = require('node:fs');
const path = require('node:path');

module.exports = ({ env }) => {
  const publicFolder = path.resolve(__dirname, '..', env('CMS_DATA_DIR', '.data'), 'public');
  // Strapi ends with an error if the folder of the uploads is missing.
  fs.mkdirSync(path.join(publicFolder, 'uploads'), { recursive: true });
  return {
    host: env('CMS_HOST', '127.0.0.1'),
    port: env.int('CMS_PORT', 1337),
    url: env('CMS_URL', ''),
    proxy: { koa: env.bool('CMS_BEHIND_PROXY', false) },
    app: { keys: env.array('APP_KEYS') },
    dirs: { public: publicFolder },
  };
};
