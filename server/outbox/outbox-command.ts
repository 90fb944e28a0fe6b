import { writeFileAtomically } from '../cache/write-file-atomically.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { createOutboxFiles, type Folder, type MessageFile, type OutboxFiles } from './outbox-files.ts';

const USAGE = `Usage: npm run outbox -- list         waiting messages and dead letters
       npm run outbox -- retry [ID]   dead letters wait again; every waiting message is tried for another 24 hours
       npm run outbox -- show ID      one message in full
The first characters of an ID will do. DATA_DIR names the folder of the outbox; the server may be running or not.
`;

/** `npm run outbox` changes the files of the outbox. A running server notices the changes within seconds. */
process.exitCode = await run(process.argv.slice(2));

async function run([command, id, ...rest]: string[]): Promise<number> {
  const isValid =
    (command === 'list' && id === undefined) ||
    command === 'retry' ||
    (command === 'show' && id !== undefined);
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
  const found = (await allOf(files)).filter(file => file.id.startsWith(id ?? ''));
  if (id !== undefined && found.length !== 1)
    return complain(
      `${found.length === 0 ? 'There is no message' : 'More than one message begins with'} ${id}\n`,
      1,
    );
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(text: string, exitCode: number): number {
  process.stderr.write(text);
  return exitCode;
}
