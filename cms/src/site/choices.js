const { CATALOGUE_NAMES } = require('./site-rules.js');
const { uidOf } = require('./types.js');

const SETTINGS = uidOf('settings');
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Time zones that Node still lists by their former names. */
const RENAMED = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
};
const REGIONS = LETTERS.flatMap(first => LETTERS.map(second => first + second));

/** Makes choices of texts of the settings that may have certain values alone. */
function offerChoices(strapi) {
  const choices = {
    language: languages(),
    timeZone: ['UTC', ...Intl.supportedValuesOf('timeZone').map(zone => RENAMED[zone] ?? zone)],
    currency: Intl.supportedValuesOf('currency'),
  };
  for (const [field, values] of Object.entries(choices)) {
    const attribute = strapi.contentTypes[SETTINGS]?.attributes[field];
    if (attribute?.type === 'string') Object.assign(attribute, { type: 'enumeration', enum: values });
  }
}

/** @returns the languages of which the site has the words, in every region that uses them. */
function languages() {
  const tags = CATALOGUE_NAMES.flatMap(name => REGIONS.map(region => `${name}-${region}`));
  // A region that does not use the language gets the language alone.
  return tags.filter(tag => new Intl.NumberFormat(tag).resolvedOptions().locale === tag);
}

/** Adds the values that are there to the choices, so that they stay. */
async function keepChoices(strapi) {
  const attributes = strapi.contentTypes[SETTINGS]?.attributes ?? {};
  const fields = ['language', 'timeZone', 'currency'].filter(field => attributes[field]?.enum);
  for (const row of fields.length > 0 ? await strapi.db.query(SETTINGS).findMany({ select: fields }) : [])
    for (const field of fields)
      if (row[field] && !attributes[field].enum.includes(row[field])) attributes[field].enum.push(row[field]);
}

module.exports = { keepChoices, offerChoices };
