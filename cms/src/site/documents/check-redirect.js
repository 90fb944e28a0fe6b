const { errors } = require('@strapi/utils');
const { uidOf } = require('../types.js');

const UID = uidOf('redirect');
const STATUSES = [301, 302, 307, 308, 410];
const GONE = 410;

/** Refuses a redirect that the site would leave out, with a sentence that the panel shows. */
function checkRedirects(strapi) {
  strapi.documents.use(async (context, next) => {
    const { action, params, uid } = context;
    if (uid === UID && (action === 'create' || action === 'update')) {
      const { documentId } = params;
      const before = documentId ? await strapi.db.query(UID).findOne({ where: { documentId } }) : null;
      const { to, statusCode } = { ...before, ...params.data };
      if (statusCode != null && !STATUSES.includes(Number(statusCode)))
        throw new errors.ValidationError(`“Status” must be one of ${STATUSES.join(', ')}.`);
      if (Number(statusCode) !== GONE && !to?.trim())
        throw new errors.ValidationError(
          '“New address” is empty. Fill it in, or set “Status” to 410 for a page that is gone.',
        );
    }
    return next();
  });
}

module.exports = { checkRedirects };
