// The process that scales pictures (`scaler.ts` starts and ends it). It has no environment, no secrets and no connections.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import { ImageRefusedError } from './image-refused-error.ts';
import { loadScaler, type ScaleImage } from './scale-image.ts';
import type { ScaleOrder, ScalingMessage } from './scaling-messages.ts';

/** How often the process says how much memory it has where the site cannot read that, in ms. */
const REPORT_EVERY_MS = 50;

function send(message: ScalingMessage): void {
  process.send?.(message);
}

/** Pages go first, and where the machine has no memory left, this process ends and not the site. */
function giveWay(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Neither is needed to scale pictures.
  }
}

async function readPicture({ file, bodyBytes, sha256 }: ScaleOrder): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(bodyBytes), position: 0 });
    const picture = buffer.subarray(0, bytesRead);
    if (createHash('sha256').update(picture).digest('base64url') !== sha256)
      throw new Error('the file is another one by now');
    return picture;
  } finally {
    await handle.close();
  }
}

async function work(order: ScaleOrder, scale: ScaleImage): Promise<ScalingMessage> {
  const { id, width, format } = order;
  let picture: Buffer;
  try {
    picture = await readPicture(order);
  } catch (error) {
    return { kind: 'changed', id, reason: messageOf(error) };
  }
  try {
    return { kind: 'scaled', id, bytes: await scale(picture, width, format) };
  } catch (error) {
    const { status, message } =
      error instanceof ImageRefusedError ? error : new ImageRefusedError(422, 'This picture is broken.');
    const cause = error instanceof ImageRefusedError ? error.cause : error;
    return { kind: 'refused', id, status, message, reason: cause ? messageOf(cause) : message };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// The site has ended, or wants this process to end.
process.on('disconnect', () => process.exit());
giveWay();
if (process.platform !== 'linux')
  setInterval(() => send({ kind: 'memory', bytes: process.memoryUsage.rss() }), REPORT_EVERY_MS).unref();
loadScaler()
  .then(scale => {
    process.on('message', async (order: ScaleOrder) => send(await work(order, scale)));
    send({ kind: 'ready' });
  })
  .catch((error: unknown) => send({ kind: 'unavailable', reason: messageOf(error) }));
