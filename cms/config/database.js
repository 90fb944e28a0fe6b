const path = require('node:path');

/** PostgreSQL if `DATABASE_URL` is set, else SQLite in the data folder. */
module.exports = ({ env }) => {
  const url = env('DATABASE_URL');
  if (url)
    return {
      connection: {
        client: 'postgres',
        connection: { connectionString: url, ssl: env.bool('DATABASE_SSL', false) },
        pool: { min: 2, max: 10 },
      },
    };
  const filename = path.resolve(__dirname, '..', env('CMS_DATA_DIR', '.data'), 'content.db');
  return { connection: { client: 'sqlite', connection: { filename }, useNullAsDefault: true } };
};
