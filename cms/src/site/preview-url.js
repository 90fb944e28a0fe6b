const types = require('./types.json');

/** @returns the address of an entry's preview, for the panel's button; null if no page shows the entry. */
function previewUrl(uid, { documentId, status, siteUrl, secret }) {
  const type = types.find(one => one.uid === uid && one.path !== null);
  if (!type || type.name === 'redirect' || !siteUrl || !secret) return null;
  const query = new URLSearchParams({ type: type.name, documentId, status: status ?? 'draft', secret });
  return `${siteUrl.replace(/\/$/, '')}/api/preview?${query}`;
}

module.exports = { previewUrl };
