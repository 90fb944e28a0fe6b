const fs = require('node:fs');
const path = require('node:path');
const { planTypes } = require('./plan-types.js');
const { readProject, readSchemas } = require('./read-project.js');
const { signOfRunningStrapi } = require('./running-strapi.js');
const { filesOfPlan, writeFiles } = require('./write-files.js');

const USAGE = `Usage: npm run cms:types -- PATH              shows what a Strapi 5 project at PATH lacks for the site
       npm run cms:types -- PATH --write      adds it: types, components, fields and the folder src/site
`;
const SOURCE = path.resolve(__dirname, '../src');
const LINE = "require('./site')(module.exports);";
const BACK_UP =
  'Back up the database and the folder of the project first: the next start of Strapi changes the database.';

/** `npm run cms:types`: adds to a Strapi project what the site needs. Nothing is renamed or removed. */
async function addTypes(args) {
  const paths = args.filter(arg => !arg.startsWith('-'));
  const options = args.filter(arg => arg.startsWith('-'));
  if (paths.length !== 1 || options.some(option => option !== '--write')) return complain(USAGE, 2);
  // npm runs scripts in the folder of their package.
  const folder = path.resolve(process.env.INIT_CWD ?? '.', paths[0]);
  if (!fs.existsSync(path.join(folder, 'package.json')))
    return complain(`${folder} is no Strapi project: it has no package.json.\n`, 1);
  const project = readProject(folder);
  const ownCode = path.join(folder, 'src/site');
  if (fs.existsSync(ownCode) && !fs.existsSync(path.join(ownCode, 'types.json')))
    return complain(
      `${ownCode} is a folder of your own, and the site's code needs the name: rename yours.\n`,
      1,
    );
  const site = readSchemas(SOURCE);
  const plan = planTypes(site, project);
  const files = filesOfPlan(plan, project, path.join(SOURCE, 'site'));
  const line = missingLine(project);
  print(report(project, plan, files));
  if (files.size === 0) return print(line ?? 'Nothing is missing.\n');
  if (!options.includes('--write'))
    return print(
      `${line ?? ''}Nothing was written. ${BACK_UP} Then end Strapi, and run this again with --write.\n`,
    );
  const sign = await signOfRunningStrapi(folder);
  if (sign)
    return complain(
      `Nothing was written, because ${sign}. End it, and run this again: a Strapi that runs would restart in the middle.\n`,
      1,
    );
  print(`${BACK_UP}\n`);
  writeFiles(folder, files);
  print(
    `Written: ${files.size === 1 ? 'one file' : `${files.size} files`}.\n\n${line ?? ''}${nextSteps(project)}`,
  );
}

function report({ folder, version, isTypeScript, types, components }, { added, changed, conflicts }, files) {
  const language = isTypeScript ? 'TypeScript' : 'JavaScript';
  const addedTypes = [...added].filter(([, { kind }]) => kind).map(([uid]) => uid);
  const addedComponents = [...added].filter(([, { kind }]) => !kind).map(([uid]) => uid);
  const code = [...files.keys()].filter(file => file.startsWith(path.join('src/site/')));
  const lines = [
    `Strapi ${version} (${language}) in ${folder}: ${types.size} types, ${components.size} components.`,
    '',
    ...(addedTypes.length > 0 ? [`Types to add: ${addedTypes.join(', ')}`] : []),
    ...(addedComponents.length > 0 ? [`Components to add: ${addedComponents.join(', ')}`] : []),
    ...(changed.length > 0 ? ['Fields to add:'] : []),
    ...changed.map(({ uid, attributes, values }) => `  ${uid}: ${addedTo(attributes, values)}`),
    ...(code.length > 0
      ? [`Code to add or renew in src/site: ${code.map(file => path.basename(file)).join(', ')}`]
      : []),
    ...(conflicts.length > 0 ? ['Left as it is:', ...conflicts.map(conflict => `  ${conflict}`)] : []),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function addedTo(attributes, values) {
  const fields = Object.entries(attributes).map(([name, { type }]) => `${name} (${type})`);
  const choices = Object.entries(values).map(([name, further]) => `${name} (choices ${further.join(', ')})`);
  return [...fields, ...choices].join(', ');
}

function missingLine({ folder, isTypeScript }) {
  const name = `src/index.${isTypeScript ? 'ts' : 'js'}`;
  const file = path.join(folder, name);
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  if (text?.includes(LINE.slice(0, -1))) return null;
  const where = text === null ? `a new file ${name}` : `${name}, as its last line`;
  return `Add this line to ${where}. The functions that are there stay and run first:\n\n    ${LINE}\n\n`;
}

function nextSteps({ isTypeScript }) {
  const types = isTypeScript
    ? 'Run `npx strapi ts:generate-types`, so that the compiler knows the new types. '
    : '';
  return `${types}Then start Strapi, which adds the tables and columns, and run \`npm run doctor\` with the site's configuration: docs/editors.md, “With a Strapi of your own”.\n`;
}

function print(text) {
  process.stdout.write(text);
}

function complain(text, exitCode) {
  process.stderr.write(text);
  process.exitCode = exitCode;
}

addTypes(process.argv.slice(2)).catch(error => complain(`${error.message}\n`, 1));
