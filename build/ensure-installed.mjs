// Installs the packages before a script that needs them. It runs on the machine's Node (18 or later), before
// node_modules exists, so it is plain JavaScript without packages.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.installed-from');
const NODE_NEEDED = 24;

const currentStamp = stamp();
if (readText(stampFile) !== currentStamp) {
  if (!installedByHand()) install();
  writeFileSync(stampFile, currentStamp);
}
checkNode();

/** @returns a hash of the lockfile, the declared packages and the platform, which determine node_modules. */
function stamp() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = readJson(
    join(root, 'package.json'),
  );
  const lists = JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]);
  const hash = createHash('sha256')
    .update(readText(join(root, 'package-lock.json')) ?? '')
    .update(lists);
  return `${hash.digest('hex')} ${process.platform} ${process.arch}\n`;
}

/** @returns whether npm has installed exactly the locked packages already, by its `.package-lock.json`. */
function installedByHand() {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages;
  const locked = readJson(join(root, 'package-lock.json'))?.packages;
  if (!installed || !locked) return false;
  const paths = Object.keys(locked).filter(path => path !== '');
  const extra = Object.keys(installed).some(path => !(path in locked));
  return (
    !extra &&
    paths.every(path => {
      const found = installed[path];
      // Accept a missing optional package, which belongs to another platform.
      if (!found) return locked[path].optional === true || locked[path].devOptional === true;
      return found.version === locked[path].version && found.integrity === locked[path].integrity;
    })
  );
}

function install() {
  console.log('Installing the packages (npm ci) …');
  // Include development packages even with NODE_ENV=production, because the build needs them.
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=error'];
  const { npm_execpath: npm, npm_node_execpath: npmNode } = process.env;
  // Remove node_modules/.bin from the path, because npm must not run on the Node that it replaces.
  const path = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== join(modules, '.bin'));
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path.join(delimiter) } };
  const { status, error } =
    npm && npmNode
      ? spawnSync(npmNode, [npm, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status === 0) return;
  fail(
    `npm ci has failed${error ? ` (${error.message})` : ''}; its own message is above. Common causes:`,
    '  the package registry cannot be reached: check the network, then run the same command again',
    '  package.json and package-lock.json differ: run npm install once and commit the lockfile',
  );
}

/** Checks the Node for scripts: the one in node_modules/.bin, first on the path, or the machine's. */
function checkNode() {
  const name = process.platform === 'win32' ? 'node.cmd' : 'node';
  if (existsSync(join(modules, '.bin', name))) return;
  if (Number.parseInt(process.versions.node, 10) >= NODE_NEEDED) return;
  fail(
    `Node ${NODE_NEEDED} or later is needed; this is ${process.versions.node} on ${process.platform} ${process.arch}.`,
    '  On Linux and Windows npm installs it as an optional package: if npm has left it out, run',
    '  npm ci --include=optional once. On any other system install it from https://nodejs.org.',
  );
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function readJson(file) {
  const text = readText(file);
  return text === null ? null : JSON.parse(text);
}

function fail(...lines) {
  console.error(lines.join('\n'));
  process.exit(1);
}
