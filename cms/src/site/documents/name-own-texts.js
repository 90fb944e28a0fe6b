const { uidOf } = require('../types.js');

const UID = uidOf('landing');
const OWN_TEXT = 'ownText';

/**
 * Gives the rows of the home page with a text of the editor's own a block, because the panel names closed
 * rows by it.
 */
function nameOwnTexts(strapi) {
  strapi.documents.use(async (context, next) => {
    const { action, params, uid } = context;
    const rows = params.data?.positionsAndCustomBlocks;
    if (uid === UID && (action === 'create' || action === 'update') && Array.isArray(rows))
      params.data.positionsAndCustomBlocks = rows.map(row =>
        row.custom && !row.block ? { ...row, block: OWN_TEXT } : row,
      );
    return next();
  });
}

module.exports = { nameOwnTexts };
