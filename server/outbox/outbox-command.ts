import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../cache/missing-file.ts';
import { writeFileAtomically } from '../cache/write-file-atomically.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import {
  createOutboxFiles,
  type Folder,
  ID_LENGTH,
  type MessageFile,
  type OutboxFiles,
} from './outbox-files.ts';

const USAGE = `Usage: npm run outbox -- list         waiting messages and dead letters
       npm run outbox -- retry [ID]   dead letters wait again; every waiting message is tried for another 24 hours
       npm run outbox -- show ID      one message in full
       npm run outbox -- erase ID     removes a message and its traces, for a person who asks for it
The first characters of an ID will do. DATA_DIR names the folder of the outbox; the server may be running or not.
`;

/** `npm run outbox` changes the files of the outbox. A running server notices the changes within seconds. */
void run(process.argv.slice(2))
  .catch(complainOfPermission)
  .then(code => {
    process.exitCode = code;
  });

async function run([command, id, ...rest]: string[]): Promise<number> {
  const isValid =
    (command === 'list' && id === undefined) ||
    command === 'retry' ||
    ((command === 'show' || command === 'erase') && id !== undefined);
  if (!isValid || rest.length > 0) return complain(USAGE, 2);
  let config: Config;
  try {
    config = readConfig(undefined, { servesPages: false });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return complain(`${error.message}\n`, 1);
  }
  // No folder is created here: it would belong to this command's user, and the server may run as another user.
  const files = createOutboxFiles(config.dataDir, writeFileAtomically);
  const mailDir = path.resolve(config.dataDir, 'mail');
  // A site makes its outbox when it starts. "No message" would be untrue of a folder where no site has run.
  if (!(await unlessMissing(stat(files.dir))) && !(await unlessMissing(stat(mailDir))))
    return complain(
      `No site has run with the folder ${path.resolve(config.dataDir)}: set DATA_DIR to its data folder\n`,
      1,
    );
  if (command === 'erase') return erase(files, mailDir, id ?? '');
  const found = (await allOf(files)).filter(file => file.id.startsWith(id ?? ''));
  if (id !== undefined && found.length !== 1) return complainOfNumber(found.length, id);
  if (command === 'list') await list(files, found);
  else if (command === 'retry') await retry(files, found);
  else await show(files, found);
  return 0;
}

type Found = MessageFile & { folder: Folder };

async function allOf(files: OutboxFiles): Promise<Found[]> {
  const both = (['waiting', 'dead'] as const).map(async folder =>
    (await files.list(folder)).map(file => ({ ...file, folder })),
  );
  return (await Promise.all(both)).flat().sort((a, b) => a.since - b.since);
}

/** Prints no address and no text of a message, because people paste lists into tickets. */
async function list(files: OutboxFiles, found: readonly Found[]): Promise<void> {
  for (const { id, folder, since } of found) {
    const message = await files.read(folder, id).catch(() => undefined);
    if (message === null) continue;
    const what = message ? `${message.message.form ?? ''} received ${message.receivedAt}` : 'cannot be read';
    say(`${id}  ${folder.padEnd(7)}  since ${new Date(since).toISOString()}  ${what}`);
  }
  const waiting = found.filter(({ folder }) => folder === 'waiting').length;
  say(`${waiting} waiting, ${found.length - waiting} dead`);
}

async function retry(files: OutboxFiles, found: readonly Found[]): Promise<void> {
  let moved = 0;
  for (const { id, folder } of found) if (await files.move(id, folder, 'waiting', Date.now())) moved += 1;
  say(`${moved} to be tried anew`);
}

async function show(files: OutboxFiles, [file]: readonly Found[]): Promise<void> {
  try {
    const message = file && (await files.read(file.folder, file.id));
    say(message ? JSON.stringify({ ...message, state: file.folder }, null, 2) : 'The message has gone.');
  } catch (error) {
    say(`The message cannot be read: ${String(error)}`);
  }
}

/**
 * Erases the message from the outbox and, where no CMS is configured, from the folder of received messages.
 *
 * @param mailDir the folder of the embedded backend's messages, whose names begin with the message's id.
 */
async function erase(files: OutboxFiles, mailDir: string, prefix: string): Promise<number> {
  const mail = (await unlessMissing(readdir(mailDir))) ?? [];
  const known = [
    ...(await allOf(files)).map(({ id }) => id),
    ...(await files.listDelivered()),
    ...mail.map(name => name.slice(0, ID_LENGTH)),
  ];
  const [id, ...others] = new Set(known.filter(id => id.startsWith(prefix)));
  if (id === undefined || others.length > 0) return complainOfNumber(id === undefined ? 0 : 2, prefix);
  const erased = await files.erase(id);
  for (const name of mail.filter(name => name.startsWith(id))) {
    await rm(path.join(mailDir, name), { force: true });
    erased.push('mail');
  }
  say(`${id}  erased from ${[...new Set(erased)].join(', ')}`);
  if (erased.includes('leases'))
    say('A delivery was under way, so the CMS may have the message: look for it there.');
  if (erased.includes('delivered')) say('The message had been delivered: erase it in the CMS, too.');
  return 0;
}

/** @throws any error but that of a folder which only its own user may read. */
function complainOfPermission(error: unknown): number {
  if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
  return complain(`${error.message}: run the command as the user of the site\n`, 1);
}

function complainOfNumber(found: number, id: string): number {
  return complain(`${found === 0 ? 'There is no message' : 'More than one message begins with'} ${id}\n`, 1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(text: string, exitCode: number): number {
  process.stderr.write(text);
  return exitCode;
}
