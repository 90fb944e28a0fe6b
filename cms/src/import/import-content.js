const fs = require('node:fs/promises');
const path = require('node:path');
const { env } = require('@strapi/utils');

/** What has another id in this database: an upload or another entry. */
const isReference = value =>
  typeof value === 'object' && value !== null && ('$file' in value || '$entry' in value);

/** Imports the plan of `build/cms/content-plan.ts` in the folder `CMS_IMPORT` into an empty database. */
async function importContent(strapi) {
  const folder = env('CMS_IMPORT');
  if (!folder || (await hasEntries(strapi))) return;
  const plan = JSON.parse(await fs.readFile(path.join(folder, 'plan.json'), 'utf8'));
  strapi.log.info(
    `The database is empty: importing ${plan.entries.length} entries and ${plan.files.length} files …`,
  );
  const files = new Map();
  for (const file of plan.files) files.set(file.key, await upload(strapi, file, folder));
  const addresses = new Map(
    plan.files.flatMap(({ key, name }) => (name ? [[name, files.get(key).url]] : [])),
  );
  const documents = new Map();
  for (const { key, uid, status, documentId, data } of plan.entries) {
    const resolved = resolve(data, { files, documents, addresses });
    const created = await strapi.documents(uid).create({ data: { ...resolved, documentId }, status });
    documents.set(key, created.documentId);
  }
  strapi.log.info('The content is imported.');
}

/** Looks at all types: a database whose articles were deleted must not get the sample again. */
async function hasEntries(strapi) {
  const uids = Object.keys(strapi.contentTypes).filter(
    uid => uid.startsWith('api::') && uid !== 'api::message.message',
  );
  for (const uid of uids) if ((await strapi.db.query(uid).count()) > 0) return true;
  return false;
}

async function upload(strapi, { path: source, fileName, alternativeText, caption, mime }, folder) {
  const { size } = await fs.stat(source);
  // Strapi removes the file that it was given.
  const copy = path.join(folder, 'uploading');
  await fs.copyFile(source, copy);
  const [file] = await strapi
    .plugin('upload')
    .service('upload')
    .upload({
      data: { fileInfo: { name: fileName, alternativeText, caption } },
      files: { filepath: copy, originalFilename: fileName, mimetype: mime, size },
    });
  await fs.rm(copy, { force: true });
  return file;
}

/** Replaces references by ids, and addresses of uploads in texts. */
function resolve(value, known) {
  if (typeof value === 'string')
    return value.replace(/\/uploads\/([\w.-]+)/g, (whole, name) => known.addresses.get(name) ?? whole);
  if (Array.isArray(value)) return value.map(item => resolve(item, known));
  if (isReference(value))
    return '$file' in value ? (known.files.get(value.$file)?.id ?? null) : known.documents.get(value.$entry);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, known)]));
}

module.exports = { importContent };
