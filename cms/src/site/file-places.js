const { labelOf } = require('./refuse.js');

/** The kinds of fields whose texts may name a file by its address. */
const TEXTS = ['richtext', 'text', 'string', 'blocks', 'json'];

/**
 * @returns the places in which a file of the media library is used, such as `Article “Fees”: “Cover”`: as a
 *   file of a field, or by its address in a text. Drafts count.
 */
async function placesOf(strapi, file) {
  const found = new Set();
  for (const holder of [...(await holdersByField(strapi, file)), ...(await holdersByText(strapi, file))])
    for (const place of await placesAbove(strapi, holder)) found.add(place);
  return [...found].sort();
}

/** @returns the entries and components with the file in a field. */
async function holdersByField(strapi, { id }) {
  const { related } = strapi.db.metadata.get('plugin::upload.file').attributes;
  const { joinColumn, morphColumn, name } = related.joinTable;
  const { idColumn, typeColumn } = morphColumn;
  const rows = await strapi.db.getConnection(name).where({ [joinColumn.name]: id });
  return rows.map(row => ({
    uid: row[typeColumn.name],
    id: row[idColumn.name],
    names: [labelOf(row[typeColumn.name], row.field)],
  }));
}

/**
 * @returns the entries and components with the file's address in a text. The addresses of its smaller sizes
 *   have the same hash.
 */
async function holdersByText(strapi, { hash }) {
  const holders = [];
  for (const [uid, { attributes }] of models(strapi)) {
    const texts = Object.keys(attributes).filter(field => TEXTS.includes(attributes[field].type));
    if (texts.length === 0) continue;
    const where = { $or: texts.map(field => ({ [field]: { $containsi: hash } })) };
    for (const row of await strapi.db.query(uid).findMany({ where, select: ['id', ...texts] }))
      for (const field of texts)
        if (JSON.stringify(row[field])?.includes(hash))
          holders.push({ uid, id: row.id, names: [labelOf(uid, field)] });
  }
  return holders;
}

/**
 * @returns the names of the places from an entry down to a part of it. A component that no entry has is in
 *   none.
 */
async function placesAbove(strapi, { uid, id, names }) {
  if (!strapi.components[uid]) return entryPlace(strapi, uid, id, names);
  const places = [];
  for (const [parent, { attributes }] of models(strapi)) {
    for (const [field, attribute] of Object.entries(attributes)) {
      if (attribute.component !== uid && !attribute.components?.includes(uid)) continue;
      const { joinTable } = strapi.db.metadata.get(parent).attributes[field];
      const rows = await strapi.db
        .getConnection(joinTable.name)
        .where({ component_type: uid, cmp_id: id, field })
        .select('entity_id');
      for (const row of rows) {
        const above = { uid: parent, id: row.entity_id, names: [labelOf(parent, field), ...names] };
        places.push(...(await placesAbove(strapi, above)));
      }
    }
  }
  return places;
}

async function entryPlace(strapi, uid, id, names) {
  const model = strapi.contentTypes[uid];
  const entry = model && (await strapi.db.query(uid).findOne({ where: { id } }));
  if (!entry) return [];
  const { displayName } = model.info;
  const title = model.kind === 'singleType' ? null : (entry.title ?? entry.name ?? entry.documentId);
  return [`${title === null ? displayName : `${displayName} “${title}”`}: ${names.join(' → ')}`];
}

/** The types of entries and components, the site's own and others of the project. */
function models(strapi) {
  const contentTypes = Object.entries(strapi.contentTypes).filter(([uid]) => uid.startsWith('api::'));
  return [...contentTypes, ...Object.entries(strapi.components)];
}

module.exports = { placesOf };
