/** @returns a version of an entry; null for none. The one version of a type without drafts is published. */
async function versionOf(strapi, uid, documentId, status) {
  if (!documentId) return null;
  const where = { documentId, publishedAt: status === 'draft' ? null : { $notNull: true } };
  return strapi.db.query(uid).findOne({ where });
}

async function editedVersion(strapi, uid, documentId) {
  return versionOf(strapi, uid, documentId, hasDrafts(strapi.contentTypes[uid]) ? 'draft' : 'published');
}

function hasDrafts({ options }) {
  return options?.draftAndPublish === true;
}

module.exports = { editedVersion, hasDrafts, versionOf };
