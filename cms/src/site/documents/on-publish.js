const types = require('../types.json');
const { hasDrafts: typeHasDrafts, versionOf } = require('./version-of.js');

const UIDS = new Set(types.map(({ uid }) => uid));

/**
 * Completes entries before they are saved: an article gets its date with its first publication. An entry that
 * is published under another address, or no longer, keeps the old one in `previousSlugs`, so that the site can
 * redirect from there.
 */
function completeOnPublish(strapi) {
  strapi.documents.use(async (context, next) => {
    const { attributes } = context.contentType;
    const { action, params } = context;
    const isSaved = action === 'create' || action === 'update';
    const hasDrafts = typeHasDrafts(context.contentType);
    const isPublished = action === 'publish' || (isSaved && (!hasDrafts || params.status === 'published'));
    const isKnown = UIDS.has(context.uid) && (attributes.date || attributes.previousSlugs);
    if (!isKnown || !(isPublished || action === 'unpublish')) return next();

    const status = hasDrafts ? 'draft' : 'published';
    const draft = await versionOf(strapi, context.uid, params.documentId, status);
    const published = await versionOf(strapi, context.uid, params.documentId, 'published');
    const entry = { ...draft, ...params.data };
    const changes = {
      ...(attributes.date && isPublished && firstDate(entry)),
      ...(attributes.previousSlugs && previousSlugs(entry, published, isPublished ? addressOf(entry) : '')),
    };
    if (isSaved) params.data = { ...params.data, ...changes };
    // Publishing copies the draft.
    else if (draft && Object.keys(changes).length > 0)
      await strapi.db.query(context.uid).update({ where: { id: draft.id }, data: changes });
    return next();
  });
}

function firstDate({ date }) {
  return date ? {} : { date: new Date().toISOString().slice(0, 10) };
}

/**
 * The field has one slug in each line. Authors and tags may have none: the site makes their addresses from
 * their names, so the former name stands for the former address.
 */
function previousSlugs(entry, published, now) {
  const before = entry.previousSlugs ?? '';
  const old = published && addressOf(published) !== now ? [addressOf(published)] : [];
  const slugs = new Set([...before.split('\n'), ...old].map(slug => slug.trim()));
  slugs.delete('');
  slugs.delete(now);
  const lines = [...slugs].join('\n');
  return lines === before ? {} : { previousSlugs: lines || null };
}

function addressOf({ slug, name }) {
  return slug || name || '';
}

module.exports = { completeOnPublish };
