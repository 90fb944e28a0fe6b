const types = require('./types.json');

/**
 * @returns the address on the site that shows an entry, for the panel's button “Open preview”, or null if no
 *   page shows it. The site looks up the page by the entry's type and document id.
 */
function previewUrl(uid, { documentId, status, siteUrl, secret }) {
  const type = types.find(one => one.uid === uid && one.path !== null);
  if (!type || type.name === 'redirect' || !siteUrl || !secret) return null;
  const query = new URLSearchParams({ type: type.name, documentId, status: status ?? 'draft', secret });
  return `${siteUrl.replace(/\/$/, '')}/api/preview?${query}`;
}

module.exports = { previewUrl };
