const { descriptions, matchRoute, pathKey, routeTable, slugOfName } = require('../site-rules.js');
const { uidOf } = require('../types.js');

/** @returns the page at a path, such as `the page “Careers”`; null for none. */
async function pageAt(strapi, path) {
  const match = matchRoute(routeTable, encodeURI(pathKey(path) ?? ''));
  if (!match) return null;
  const { route, params } = match;
  const name = Object.keys(descriptions).find(type => descriptions[type].route === route.id);
  const model = name && strapi.contentTypes[uidOf(name)];
  if (Object.keys(params).length === 0)
    return `the ${model ? lowerCase(model.info.displayName) : 'site’s own page'}`;
  if (!model) return null;
  const entry = await entryAt(strapi, name, params);
  return entry && `the ${lowerCase(model.info.displayName)} “${entry.title ?? entry.name}”`;
}

/** Authors and tags may have an address that is made from their names. */
async function entryAt(strapi, name, params) {
  const slug = params.slug ?? params.category;
  const above = name === 'article' ? { category: { slug: { $eqi: params.category } } } : {};
  const query = strapi.db.query(uidOf(name));
  const published = { publishedAt: { $notNull: true }, ...above };
  const found = await query.findOne({ where: { ...published, slug: { $eqi: slug } } });
  if (found || descriptions[name].fields.slug.required) return found;
  const unnamed = await query.findMany({ where: { ...published, slug: { $null: true } } });
  // The site's SITE_LOCALE, which the CMS does not know, decides between the spellings.
  return (
    unnamed.find(({ name }) => slugOfName(name, null) === slug || slugOfName(name, 'de') === slug) ?? null
  );
}

function lowerCase(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

module.exports = { pageAt };
