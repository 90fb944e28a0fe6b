import type { Folder, MessageFile, OutboxFiles } from './outbox-files.ts';
import type { QueueCommands, QueueEntry } from './queue/queue-commands.ts';

export interface MessagePlaces {
  readonly files: OutboxFiles;
  readonly queue: QueueCommands | null;
}

export interface FoundMessage {
  id: string;
  /** Null if only another replica has the message. */
  file: (MessageFile & { folder: Folder }) | null;
  queued: QueueEntry | null;
}

export async function findMessages({ files, queue }: MessagePlaces): Promise<FoundMessage[]> {
  const both = (['waiting', 'dead'] as const).map(async folder =>
    (await files.list(folder)).map(file => ({ ...file, folder })),
  );
  const queued = new Map((await queue?.list())?.map(entry => [entry.id, entry]));
  const inFolder = (await Promise.all(both)).flat().sort((a, b) => a.since - b.since);
  const found = inFolder.map(file => ({ id: file.id, file, queued: queued.get(file.id) ?? null }));
  for (const { id } of inFolder) queued.delete(id);
  return [...found, ...Array.from(queued.values(), entry => ({ id: entry.id, file: null, queued: entry }))];
}

/** A state in the queue decides, because the site moves the file only later. */
export function isDead({ file, queued }: FoundMessage): boolean {
  return queued ? queued.state === 'dead' : file?.folder === 'dead';
}

export async function retryMessage(
  { files, queue }: MessagePlaces,
  { id, file, queued }: FoundMessage,
): Promise<boolean> {
  // Retry in the queue first: while a job is dead, a site moves its file back to the dead letters.
  const isQueued = queued ? await queue?.retry(id) : false;
  const isMoved = file ? await files.move(id, file.folder, 'waiting', Date.now()) : false;
  return isQueued || isMoved;
}

/** Removes a message and its traces. @returns the folders that had traces, and the outcome in the queue. */
export async function eraseMessage({ files, queue }: MessagePlaces, id: string) {
  // Erase in the queue first: a site that finds a file without a job adds the job again.
  const inQueue = await queue?.erase(id);
  return { inQueue, erased: await files.erase(id) };
}
