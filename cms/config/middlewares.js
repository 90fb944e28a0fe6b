module.exports = [
  'strapi::logger',
  'strapi::errors',
  'strapi::security',
  // Only the site's server and the panel call the CMS, and neither calls it from another origin.
  { name: 'strapi::cors', config: { origin: [] } },
  'strapi::query',
  'strapi::body',
  'strapi::session',
  'strapi::favicon',
  'strapi::public',
];
