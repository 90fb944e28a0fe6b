import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import type { Config } from '../config/config.ts';
import type { QueueConfig } from '../config/server-addresses.ts';
import {
  eraseMessage,
  type FoundMessage,
  findMessages,
  isDead,
  type MessagePlaces,
  retryMessage,
} from './found-messages.ts';
import { ID_LENGTH, isMessageId, MESSAGE_FOLDERS, OutboxFiles } from './outbox-files.ts';
import { createQueueCommands } from './queue/queue-commands.ts';
import { openQueueLink } from './queue/queue-link.ts';

/** Logs nothing, because the command itself reports problems of the queue. */
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

export interface MessageCommand {
  readonly command: 'list' | 'show' | 'retry' | 'erase';
  readonly id?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Runs a command of an operator. A running server notices the changes within seconds. @returns the exit code.
 * @throws ConfigError for a queue that cannot be used.
 */
export async function runMessageCommand(config: Config, command: MessageCommand): Promise<number> {
  // Create no folder here: it would belong to this command's user, not to the server's.
  const files = new OutboxFiles(config.dataDir, writeFileAtomically);
  const places = { files, queue: null };
  if (config.outboxQueue) return runWithQueue(config.outboxQueue, places, command);
  return runWithFolder(places, command);
}

/** Refuses a folder that no site has used, because "no message" would mislead. */
async function runWithFolder(places: MessagePlaces, command: MessageCommand): Promise<number> {
  const { dir, mailDir } = places.files;
  if ((await unlessMissing(stat(dir))) || (await unlessMissing(stat(mailDir))))
    return runCommand(places, command);
  return complain(
    `No site has run with the folder ${path.dirname(dir)}: set DATA_DIR to its data folder\n`,
    1,
  );
}

/** If the queue cannot be used, `retry` and `erase` change nothing. */
async function runWithQueue(
  queue: QueueConfig,
  places: MessagePlaces,
  command: MessageCommand,
): Promise<number> {
  const link = await openQueueLink({ ...queue, isSite: false, log: QUIET });
  try {
    const commands = createQueueCommands(link, queue.name);
    const isUp = link.report.isUp;
    if (isUp && (await commands.hasSite())) return await runCommand({ ...places, queue: commands }, command);
    const changes = command.command === 'retry' || command.command === 'erase';
    const isShown = !changes && (await runWithFolder(places, command)) === 0;
    const { problem } = link.report;
    const what = changes
      ? 'Nothing was changed: '
      : isShown
        ? 'These are the messages of this folder alone: '
        : '';
    const why = isUp
      ? `no site has used the queue ${queue.name}. Remedy: give this command the PUBLIC_URL of the site, or its OUTBOX_QUEUE: the queue is named after them`
      : `the queue cannot be reached (${problem?.reason}). Remedy: ${problem?.remedy}`;
    return complain(`${what}${why}\n`, 1);
  } finally {
    await link.close();
  }
}

async function runCommand(places: MessagePlaces, { command, id, email }: MessageCommand): Promise<number> {
  if (command === 'erase' && email !== undefined) return eraseAddress(places, email);
  if (command === 'erase') return erase(places, id ?? '');
  const found = (await findMessages(places)).filter(entry => entry.id.startsWith(id ?? ''));
  if (id !== undefined && found.length !== 1) return complainOfNumber(found.length, id);
  if (command === 'list') await list(places, found);
  else if (command === 'retry') await retry(places, found);
  else await show(places, found);
  return 0;
}

/** Prints no address and no text of a message, because people paste lists into tickets. */
async function list({ files, queue }: MessagePlaces, found: readonly FoundMessage[]): Promise<void> {
  const listed: FoundMessage[] = [];
  for (const entry of found) {
    const { id, file, queued } = entry;
    const message = file ? await files.read(file.folder, id).catch(() => undefined) : queued?.message;
    if (message === null) continue;
    listed.push(entry);
    const what = message ? `${message.message.form ?? ''} received ${message.receivedAt}` : 'cannot be read';
    // Cut off the text of the CMS, which follows in brackets: it may repeat words of the message.
    const why = message?.failure?.split(' (', 1)[0];
    const where = file
      ? `${file.folder.padEnd(7)}  since ${new Date(file.since).toISOString()}  `
      : 'another replica  ';
    const inQueue = queued ? `  queue: ${queued.state}, ${queued.attempts} attempts` : '';
    say(`${id}  ${where}${what}${why ? `  failure: ${why}` : ''}${inQueue}`);
  }
  const dead = listed.filter(isDead).length;
  const here = listed.filter(({ file }) => file !== null).length;
  const places = queue
    ? `: ${here} of the folder ${files.dir}, ${listed.length - here} of other replicas alone`
    : ` in the folder ${files.dir}`;
  say(`${listed.length - dead} waiting, ${dead} dead${places}`);
  if (!queue) return;
  const states = found.flatMap(({ queued }) => (queued ? [queued.state] : []));
  const counts = ['waiting', 'active', 'delayed', 'dead'].map(
    state => `${states.filter(other => other === state).length} ${state}`,
  );
  say(`queue ${queue.name}: ${counts.join(', ')}, ${await queue.countDelivered()} delivered`);
}

async function retry(places: MessagePlaces, found: readonly FoundMessage[]): Promise<void> {
  let moved = 0;
  for (const one of found) if (await retryMessage(places, one)) moved += 1;
  say(`${moved} to be tried anew`);
}

async function show({ files }: MessagePlaces, [found]: readonly FoundMessage[]): Promise<void> {
  const { id = '', file, queued } = found ?? {};
  try {
    const message = file ? await files.read(file.folder, id) : queued?.message;
    const state = { ...(file ? { state: file.folder } : {}), ...(queued ? { queue: queued.state } : {}) };
    say(message ? JSON.stringify({ ...message, ...state }, null, 2) : 'The message has gone.');
  } catch (error) {
    say(`The message cannot be read: ${String(error)}`);
  }
}

async function erase(places: MessagePlaces, prefix: string): Promise<number> {
  const { files, queue } = places;
  const mail = (await unlessMissing(readdir(files.mailDir))) ?? [];
  const known = [
    ...(await findMessages(places)).map(({ id }) => id),
    ...(await files.listDelivered()),
    ...mail.map(name => name.slice(0, ID_LENGTH)),
    // The queue finds a delivery only by the whole id.
    ...(prefix.length === ID_LENGTH && (await queue?.knows(prefix)) ? [prefix] : []),
  ];
  const [id, ...others] = new Set(known.filter(id => id.startsWith(prefix)));
  if (id === undefined || others.length > 0) return complainOfNumber(id === undefined ? 0 : 2, prefix);
  await eraseOne(places, id);
  return 0;
}

async function eraseAddress(places: MessagePlaces, email: string): Promise<number> {
  const { files, queue } = places;
  const ids = new Set<string>();
  // Search the raw text of files, because a draft or a damaged file may have the address, too.
  for (const folder of [...MESSAGE_FOLDERS.map(name => path.join(files.dir, name)), files.mailDir])
    for (const name of (await unlessMissing(readdir(folder))) ?? []) {
      const text = await unlessMissing(readFile(path.join(folder, name), 'utf8'));
      const id = name.slice(0, ID_LENGTH);
      if (text !== null && isMessageId(id) && hasAddress(text, email)) ids.add(id);
    }
  for (const { id, message } of (await queue?.list()) ?? [])
    if (hasAddress(JSON.stringify(message ?? null), email)) ids.add(id);
  for (const id of ids) await eraseOne(places, id);
  if (ids.size === 0) return complain('There is no message with this address\n', 1);
  say(`${ids.size} erased`);
  return 0;
}

/** Whether JSON contains the address, ignoring case. `ada@example.com` is not in `wada@example.com.au`. */
function hasAddress(text: string, email: string): boolean {
  return text
    .replace(/\\(?:u[\da-f]{4}|.)/gi, ' ')
    .toLowerCase()
    .split(email.toLowerCase())
    .some((before, at, parts) => {
      const after = parts[at + 1];
      return (
        after !== undefined && !/[\p{L}\p{N}_+-]\.?$/u.test(before) && !/^\.?[\p{L}\p{N}_-]/u.test(after)
      );
    });
}

async function eraseOne(places: MessagePlaces, id: string): Promise<void> {
  const { mailDir } = places.files;
  const mail = (await unlessMissing(readdir(mailDir))) ?? [];
  const { inQueue, erased } = await eraseMessage(places, id);
  for (const name of mail.filter(name => name.startsWith(id))) {
    await rm(path.join(mailDir, name), { force: true });
    erased.push('mail');
  }
  if (inQueue === 'erased') erased.push('queue');
  const where = [...new Set(erased)].join(', ') || 'nothing here';
  say(`${id}  erased from ${where}`);
  if (erased.includes('leases'))
    say('A delivery was under way, so the CMS may have the message: look for it there.');
  if (erased.includes('delivered') || inQueue === 'delivered')
    say('The message had been delivered: erase it in the CMS, too.');
  if (inQueue) say('The other replicas remove it from their disks within a minute.');
}

function complainOfNumber(found: number, id: string): number {
  return complain(`${found === 0 ? 'There is no message' : 'More than one message begins with'} ${id}\n`, 1);
}

/** Prints a line without control characters, which other programs may have written to the queue. */
export function say(line: string): void {
  process.stdout.write(`${line.replace(/[^\P{Cc}\n]/gu, '?')}\n`);
}

export function complain(text: string, exitCode: number): number {
  process.stderr.write(text);
  return exitCode;
}
