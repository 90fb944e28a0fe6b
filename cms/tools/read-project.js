const fs = require('node:fs');
const path = require('node:path');

/**
 * @returns a project's version, language, types and components, by names such as `api::article.article`.
 * @throws Error with a sentence for people, if the folder is no project of Strapi 5.
 */
function readProject(folder) {
  const manifest = readJson(path.join(folder, 'package.json'));
  const range = manifest?.dependencies?.['@strapi/strapi'];
  if (!range)
    throw new Error(`${folder} is no Strapi project: its package.json does not name @strapi/strapi.`);
  const installed = readJson(path.join(folder, 'node_modules/@strapi/strapi/package.json'))?.version;
  const version = installed ?? range;
  if (version.replace(/^\D+/, '').split('.', 1)[0] !== '5')
    throw new Error(
      `${folder} is a project of Strapi ${version}, and this adds types to Strapi 5 alone. The site reads from Strapi 4, too: make the types in its Content-Type Builder, or upgrade first (npx @strapi/upgrade major).`,
    );
  const isTypeScript = fs.existsSync(path.join(folder, 'tsconfig.json'));
  return { folder, version, isTypeScript, ...readSchemas(path.join(folder, 'src')) };
}

function readSchemas(source) {
  const types = new Map();
  for (const api of foldersIn(path.join(source, 'api')))
    for (const name of foldersIn(path.join(source, 'api', api, 'content-types'))) {
      const file = path.join(source, 'api', api, 'content-types', name, 'schema.json');
      const schema = readJson(file);
      if (schema) types.set(`api::${api}.${schema.info.singularName}`, { file, schema });
    }
  const components = new Map();
  for (const category of foldersIn(path.join(source, 'components')))
    for (const name of fs.readdirSync(path.join(source, 'components', category))) {
      if (!name.endsWith('.json')) continue;
      const file = path.join(source, 'components', category, name);
      components.set(`${category}.${path.basename(name, '.json')}`, { file, schema: readJson(file) });
    }
  return { types, components };
}

function foldersIn(folder) {
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  return entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
}

function readJson(file) {
  if (!fs.existsSync(file)) return undefined;
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} is no JSON: ${error.message}`);
  }
}

module.exports = { readProject, readSchemas };
