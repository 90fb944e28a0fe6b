const { placesOf } = require('./file-places.js');
const { listOf, refuse } = require('./refuse.js');

const FILE = 'plugin::upload.file';

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

module.exports = { keepFilesInUse };
