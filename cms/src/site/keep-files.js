const { labelOf, listOf, refuse } = require('./refuse.js');

const FILE = 'plugin::upload.file';
const TEXTS = ['richtext', 'text', 'string', 'blocks', 'json'];

/** Refuses to delete files that are in use, and names the places. Of several files none is deleted then. */
function keepFilesInUse(strapi) {
  const upload = strapi.plugin('upload');
  const [one, several, folders] = ['upload', 'file', 'folder'].map(name => upload.service(name));
  const { remove } = one;
  const { deleteByIds: deleteFiles } = several;
  const { deleteByIds: deleteFolders } = folders;
  one.remove = async file => {
    await checkFiles(strapi, [file]);
    return remove(file);
  };
  several.deleteByIds = async (ids = []) => {
    await checkFiles(strapi, await strapi.db.query(FILE).findMany({ where: { id: { $in: ids } } }));
    return deleteFiles(ids);
  };
  folders.deleteByIds = async (ids = []) => {
    await checkFiles(strapi, await filesBelow(strapi, ids));
    return deleteFolders(ids);
  };
}

async function filesBelow(strapi, ids) {
  const chosen = await strapi.db.query('plugin::upload.folder').findMany({ where: { id: { $in: ids } } });
  const paths = chosen.flatMap(({ path }) => [
    { folderPath: path },
    { folderPath: { $startsWith: `${path}/` } },
  ]);
  return paths.length === 0 ? [] : strapi.db.query(FILE).findMany({ where: { $or: paths } });
}

async function checkFiles(strapi, files) {
  const problems = [];
  for (const file of files) {
    const places = await placesOf(strapi, file);
    if (places.length === 0) continue;
    const sentence = `“${file.name}” is in use: take it out of these places first. ${listOf(places)}.`;
    problems.push({ field: 'file', sentence });
  }
  if (problems.length > 0) refuse(...problems);
}

/** @returns the places that use a file, such as `Article “Fees”: “Cover”`, drafts included. */
async function placesOf(strapi, file) {
  const found = new Set();
  for (const holder of [...(await holdersByField(strapi, file)), ...(await holdersByText(strapi, file))])
    for (const place of await placesAbove(strapi, holder)) found.add(place);
  return [...found].sort();
}

async function holdersByField(strapi, { id }) {
  const { related } = strapi.db.metadata.get(FILE).attributes;
  const { joinColumn, morphColumn, name } = related.joinTable;
  const { idColumn, typeColumn } = morphColumn;
  const rows = await strapi.db.getConnection(name).where({ [joinColumn.name]: id });
  return rows.map(row => ({
    uid: row[typeColumn.name],
    id: row[idColumn.name],
    names: [labelOf(row[typeColumn.name], row.field)],
  }));
}

/** Finds the address in texts. The addresses of the file's smaller sizes have the same hash. */
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

/** Follows components up to their entries. A component that no entry has is in no place. */
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

function models(strapi) {
  const contentTypes = Object.entries(strapi.contentTypes).filter(([uid]) => uid.startsWith('api::'));
  return [...contentTypes, ...Object.entries(strapi.components)];
}

module.exports = { keepFilesInUse };
