const { blocks } = require('../site-rules.js');
const { siteOf } = require('../site-of.js');
const { uidOf } = require('../types.js');
const words = require('../panel/words.json');

const LANDING = uidOf('landing');
const ROW = uidOf('landing-position');
const OWN_TEXT = 'ownText';
const MOST_LETTERS = 40;

/** Names the rows of the home page in the site's language: the panel shows the name of a closed row alone. */
function nameRows(strapi) {
  strapi.documents.use(async (context, next) => {
    const { action, params, uid } = context;
    const rows = params.data?.positionsAndCustomBlocks;
    if (uid === LANDING && (action === 'create' || action === 'update') && Array.isArray(rows)) {
      const word = await wordsOfSite(strapi);
      params.data.positionsAndCustomBlocks = rows.map(row => {
        const named = row.custom && !row.block ? { ...row, block: OWN_TEXT } : row;
        return { ...named, name: nameOf(named, word) };
      });
    }
    return next();
  });
}

/** Names the rows of an earlier version. */
async function nameFormerRows(strapi) {
  if (!strapi.components[ROW]?.attributes.name) return;
  const word = await wordsOfSite(strapi);
  const rows = strapi.db.query(ROW);
  for (const row of await rows.findMany({ where: { name: null } }))
    await rows.update({ where: { id: row.id }, data: { name: nameOf(row, word) } });
}

async function wordsOfSite(strapi) {
  const { language } = await siteOf(strapi);
  return text => words[language.split('-', 1)[0]]?.[text] ?? text;
}

function nameOf({ block, custom, hidden }, word) {
  const group = blocks.find(({ name }) => name === block)?.label;
  const [line] = typeof custom === 'string' ? custom.trim().split('\n', 1) : [''];
  const text = line.replace(/[#*_>\s]+/g, ' ').trim();
  const name = group
    ? word(group)
    : [word('Own text'), text.slice(0, MOST_LETTERS)].filter(Boolean).join(': ');
  return hidden ? `${name} (${word('Hidden').toLowerCase()})` : name;
}

module.exports = { nameFormerRows, nameRows };
