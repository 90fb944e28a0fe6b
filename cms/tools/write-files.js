const fs = require('node:fs');
const path = require('node:path');

/** The core files of a type, as Strapi's generator makes them. */
const CORE_FILES = { controllers: 'Controller', routes: 'Router', services: 'Service' };

/** @returns the files to write, by path. Files that have the same text are not among them. */
function filesOfPlan({ added, changed, nameOf }, project, siteFolder) {
  const files = new Map();
  for (const [uid, schema] of added) {
    const [api, name] = uid.replace('api::', '').split('.');
    if (!schema.kind) {
      files.set(`src/components/${api}/${name}.json`, json(schema));
      continue;
    }
    files.set(`src/api/${api}/content-types/${name}/schema.json`, json(schema));
    for (const [folder, part] of Object.entries(CORE_FILES)) {
      const file = `src/api/${api}/${folder}/${name}.${project.isTypeScript ? 'ts' : 'js'}`;
      if (!fs.existsSync(path.join(project.folder, file)))
        files.set(file, coreFile(part, uid, project.isTypeScript));
    }
  }
  for (const { file, schema, attributes, values } of changed) {
    Object.assign(schema.attributes, attributes);
    for (const [name, further] of Object.entries(values)) schema.attributes[name].enum.push(...further);
    files.set(path.relative(project.folder, file), json(schema));
  }
  for (const [file, text] of codeFiles(siteFolder, nameOf, project.isTypeScript)) {
    const isSame = read(path.join(project.folder, file)) === text;
    if (!isSame) files.set(file, text);
  }
  return files;
}

function coreFile(part, uid, isTypeScript) {
  const call = `factories.createCore${part}('${uid}');\n`;
  return isTypeScript
    ? `import { factories } from '@strapi/strapi';\n\nexport default ${call}`
    : `const { factories } = require('@strapi/strapi');\n\nmodule.exports = ${call}`;
}

/**
 * @returns the files of `src/site`. Strapi runs only what the compiler of a TypeScript project puts out, so
 *   they are `.ts` there, without checks of types.
 */
function codeFiles(siteFolder, nameOf, isTypeScript) {
  const files = new Map();
  for (const entry of fs.readdirSync(siteFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = path.join(entry.parentPath, entry.name);
    const file = path.join('src/site', path.relative(siteFolder, source));
    const text = fs.readFileSync(source, 'utf8');
    if (entry.name === 'types.json') files.set(file, json(ownTypes(JSON.parse(text), nameOf)));
    else if (isTypeScript && file.endsWith('.js'))
      files.set(file.replace(/\.js$/, '.ts'), `// @ts-nocheck\n${text}`);
    else files.set(file, text);
  }
  return files;
}

function ownTypes(types, nameOf) {
  return types.map(type => ({ ...type, uid: nameOf(type.uid) }));
}

/** Writes files, each at once: a reader sees the former text or the new one. */
function writeFiles(folder, files) {
  for (const [name, text] of files) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
  }
}

function read(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

module.exports = { filesOfPlan, writeFiles };
