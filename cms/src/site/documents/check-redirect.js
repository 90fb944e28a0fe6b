const { labelOf, refuse } = require('../refuse.js');
const { settings } = require('../settings.js');
const { buildRedirectTable, siteRedirects } = require('../site-rules.js');
const { uidOf } = require('../types.js');
const { pageAt } = require('./page-at.js');

const UID = uidOf('redirect');
const NEW = 'new';

/** Refuses a redirect that the site would leave out, and one that hides a page until an editor insists. */
function checkRedirects(strapi) {
  strapi.documents.use(async (context, next) => {
    const { action, params, uid } = context;
    if (uid === UID && strapi.isLoaded && ['create', 'update', 'clone'].includes(action))
      await checkRedirect(strapi, action === 'clone' ? null : params.documentId, params);
    return next();
  });
}

async function checkRedirect(strapi, documentId, { data, documentId: copied }) {
  const rows = (await strapi.db.query(UID).findMany({ orderBy: { createdAt: 'asc' } })).map(rowOf);
  const before = rows.find(({ id }) => id === (documentId ?? copied));
  const row = { ...before, ...data, id: documentId ?? NEW };
  const after = documentId ? rows.map(one => (one.id === documentId ? row : one)) : [...rows, row];
  const problems = problemsIn(after);
  const own = problems.filter(({ id }) => id === row.id);
  const known = problemsIn(rows);
  const others = problems.filter(
    ({ id, reason }) => !known.some(one => one.id === id && one.reason === reason),
  );
  const [problem] = [...own, ...others];
  if (problem) refuse(sentenceOf(problem, row));
  await askAboutPage(strapi, row);
}

function rowOf({ documentId, ...row }) {
  return { ...row, id: documentId };
}

function problemsIn(rows) {
  const { redirectHosts, url } = settings();
  const hosts = redirectHosts?.split(',').map(host => host.trim());
  return buildRedirectTable([...siteRedirects, ...rows], url ? new URL(url).origin : null, hosts ?? null)
    .problems;
}

/** The site's reasons quote the names of fields. */
function sentenceOf({ id, field, from, reason }, row) {
  const named = reason.replace(/'(from|to|statusCode)'/g, (_, name) => labelOf(UID, name));
  const place = id === row.id ? '' : `The redirect of ${from}: `;
  const about = named.startsWith('“') ? '' : `${labelOf(UID, field)}: `;
  return { field, sentence: `${place}${about}${named}.` };
}

/** Strapi has no warnings. The sentence says how to insist. */
async function askAboutPage(strapi, { from, replacesPage }) {
  if (replacesPage || !strapi.contentTypes[UID].attributes.replacesPage) return;
  const page = await pageAt(strapi, from.trim().replace(/\/\*\*$/, '') || '/');
  if (page === null) return;
  const sentence = `${from.trim()} is the address of ${page}, and nobody would see it any more. Switch on ${labelOf(UID, 'replacesPage')} if that is meant.`;
  refuse({ field: 'from', sentence });
}

module.exports = { checkRedirects };
