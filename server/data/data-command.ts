import '../ops/process/check-node.ts';
import { readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { createLogger } from '../ops/log.ts';
import { complain, runMessageCommand, say } from '../outbox/message-commands.ts';
import { HISTORY_FOLDER, History } from '../previews/history.ts';
import { backUp, DamagedBackupError, hasMessages, isRestoreUnfinished, restore } from './backup.ts';
import { checkData, dropRecords, isRunning, sizesOf } from './data-files.ts';

const USAGE = `Usage: npm run data -- show                  sizes by kind, with the oldest file, and the free space
       npm run data -- check                 reads every record with its checksum; exit code 1 if one is damaged
       npm run data -- backup FILE [--all]   writes messages, and what else exists nowhere else, into one file; --all: caches, too
       npm run data -- restore FILE          puts a backup into a folder without messages, while no site runs
       npm run data -- drop pages|content    removes the stored pages, or the stored answers of the CMS
       npm run data -- forget TYPE ID        erases what the site has shown of an entry, such as articles DOCUMENTID
       npm run data -- list                  waiting messages and dead letters
       npm run data -- show ID               one message in full
       npm run data -- retry [ID]            dead letters wait again; every waiting message is tried for another 24 hours
       npm run data -- erase ID              removes a message and its traces, for a person who asks for it
       npm run data -- erase --email ADDRESS the same for each message with this address in a field
The first characters of an ID will do. DATA_DIR names the folder, and OUTBOX_URL the queue that replicas share. The server may be running
or not, but for restore. \`npm run outbox\` is the same command.
`;

const isFile = (argument: string) => argument !== '--all';

const FORMS: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  show: args => args.length <= 1,
  check: args => args.length === 0,
  backup: args => args.length <= 2 && args.filter(isFile).length === 1,
  restore: args => args.length === 1,
  drop: args => args.length === 1 && ['pages', 'content'].includes(args[0] ?? ''),
  forget: args => args.length === 2,
  list: args => args.length === 0,
  retry: args => args.length <= 1,
  erase: ([id = '--email', address = '', ...rest]) =>
    id === '--email' ? address.includes('@') && rest.length === 0 : address === '',
};

// Ignore a closed pipe, as of `… | head`, because that is no failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void run(process.argv.slice(2))
  .catch(error => complainOf(error))
  .then(code => {
    process.exitCode = code;
  });

async function run([command = '', ...args]: string[]): Promise<number> {
  if (!Object.hasOwn(FORMS, command) || !FORMS[command]?.(args)) return complain(USAGE, 2);
  const config = readConfig(undefined, { servesPages: false });
  const { dataDir } = config;
  const [first, second] = args;
  if (command === 'restore') return runRestore(dataDir, first ?? '');
  if (await isRestoreUnfinished(dataDir))
    return complain('A restore was interrupted. Stop the site, and repeat it: restore FILE\n', 1);
  if (command === 'list' || command === 'retry') return runMessageCommand(config, { command, id: first });
  if (command === 'show' && first !== undefined) return runMessageCommand(config, { command, id: first });
  if (command === 'erase')
    return runMessageCommand(
      config,
      first === '--email' ? { command, email: second } : { command, id: first },
    );
  const kinds = await sizesOf(dataDir);
  if (kinds.length === 0)
    return complain(`No site has run with the folder ${dataDir}: set DATA_DIR to its data folder\n`, 1);
  if (command === 'check') return check(dataDir);
  if (command === 'backup') return runBackup(dataDir, args.find(isFile) ?? '', args.includes('--all'));
  if (command === 'forget') await forget(dataDir, first ?? '', second ?? '');
  else if (command === 'drop') await drop(dataDir, first === 'pages' ? 'pages' : 'content');
  else await showSizes(dataDir, kinds);
  return 0;
}

async function showSizes(dataDir: string, kinds: Awaited<ReturnType<typeof sizesOf>>): Promise<void> {
  for (const { kind, files, bytes, oldest } of kinds)
    say(`${String(files).padStart(7)} files  ${String(bytes).padStart(12)} bytes  oldest ${oldest}  ${kind}`);
  const { bavail, blocks, bsize } = await statfs(dataDir);
  say(`disk: ${bavail * bsize} of ${blocks * bsize} bytes are free`);
}

async function check(dataDir: string): Promise<number> {
  const { checked, unchecked, damaged } = await checkData(dataDir);
  for (const { name, reason } of damaged) say(`damaged  ${name}: ${reason}`);
  say(`${checked} files read, ${damaged.length} damaged; ${unchecked} files have no checksum`);
  return damaged.length > 0 ? 1 : 0;
}

async function runBackup(dataDir: string, file: string, isWhole: boolean): Promise<number> {
  try {
    const { messages, files } = await backUp(dataDir, file, isWhole);
    say(
      `${messages} messages, ${files} files in all: ${file} has words of visitors, so keep it as the folder`,
    );
    return 0;
  } catch (error) {
    return complainOf(error, ': the backup was not written');
  }
}

async function runRestore(dataDir: string, file: string): Promise<number> {
  if (await isRunning(dataDir))
    return complain(`A site runs with the folder ${dataDir}: stop it, and wait for 15 s\n`, 1);
  if (!(await isRestoreUnfinished(dataDir)) && (await hasMessages(dataDir)))
    return complain(`The folder ${dataDir} has messages: restore into another folder\n`, 1);
  const restored = await restore(dataDir, file);
  if (restored) say(`${restored.messages} messages, ${restored.files} files in all, are in ${dataDir}`);
  else say(`An interrupted restore is finished: its files are in ${dataDir}`);
  return 0;
}

async function drop(dataDir: string, cache: 'pages' | 'content'): Promise<void> {
  say(`${await dropRecords(dataDir, cache)} records removed from the disk`);
  if (cache === 'content') say('Until the content is loaded again, the site needs the CMS');
  if (await isRunning(dataDir))
    say('The running site still has what is in its memory: purge it, too, or restart it');
}

async function forget(dataDir: string, type: string, id: string): Promise<void> {
  const backends = path.join(dataDir, 'backends');
  let erased = 0;
  for (const backend of (await unlessMissing(readdir(backends))) ?? []) {
    const dir = path.join(backends, backend, HISTORY_FOLDER);
    const history = new History({ dir, maxBytes: Number.POSITIVE_INFINITY, log: createLogger('warn') });
    erased += await history.forget(type, id);
  }
  say(`${erased} versions with the entry erased. What the CMS still shows is kept anew`);
}

function complainOf(error: unknown, effect = ''): number {
  if (error instanceof ConfigError) return complain(`${error.message}\n`, 1);
  if (error instanceof DamagedBackupError) return complain(`${error.message}: nothing was restored\n`, 1);
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  const remedy =
    'code' in error && error.code === 'EACCES' ? ': run the command as the user of the site' : '';
  return complain(`${error.message}${effect}${remedy}\n`, 1);
}
