const fs = require('node:fs');
const path = require('node:path');

const DATABASE = /\.(db|sqlite3?)(-wal|-shm|-journal)?$/;

/**
 * Looks for a Strapi on a project: by its process or its open database on Linux, or by an answer at its port.
 * @returns the sign in words; null for none.
 */
async function signOfRunningStrapi(folder) {
  const real = fs.realpathSync(folder);
  return processOn(real) ?? (await answerAt(portOf(folder)));
}

function processOn(folder) {
  for (const id of fs.existsSync('/proc/self') ? fs.readdirSync('/proc') : []) {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) continue;
    const command = read(() => fs.readFileSync(`/proc/${id}/cmdline`, 'utf8'))?.split('\0') ?? [];
    const isIn = read(() => fs.readlinkSync(`/proc/${id}/cwd`)) === folder;
    if (isIn && command.some(part => /^strapi(\.js)?$/.test(path.basename(part))))
      return `the process ${id} runs Strapi in it`;
    const files = read(() => fs.readdirSync(`/proc/${id}/fd`)) ?? [];
    const open = files.map(file => read(() => fs.readlinkSync(`/proc/${id}/fd/${file}`)) ?? '');
    const database = open.find(file => file.startsWith(`${folder}${path.sep}`) && DATABASE.test(file));
    if (database) return `the process ${id} has it open (${database})`;
  }
  return null;
}

/** @returns undefined where this user may not look, or the process has ended. */
function read(look) {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function portOf(folder) {
  const text = read(() => fs.readFileSync(path.join(folder, '.env'), 'utf8')) ?? '';
  const [, port] = /^\s*PORT\s*=\s*["']?(\d+)/m.exec(text) ?? [];
  return Number(port ?? 1337);
}

async function answerAt(port) {
  for (const host of ['127.0.0.1', '[::1]']) {
    const signal = AbortSignal.timeout(3_000);
    const answer = await fetch(`http://${host}:${port}/_health`, { signal }).catch(() => null);
    // Strapi sends the header with each answer of this address.
    if (answer?.headers.has('strapi')) return `a Strapi answers at its port ${port} on this machine`;
  }
  return null;
}

module.exports = { signOfRunningStrapi };
