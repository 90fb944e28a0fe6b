// The process that scales pictures. `scaler.ts` starts and ends it. It has no environment, secrets or
// connections.

import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { loadScaler, type Scaling } from './scale-image.ts';
import {
  ImageRefusedError,
  type PictureFile,
  type ScaleOrder,
  type ScalingMessage,
} from './scaling-messages.ts';

/** The interval of memory reports for systems where the site cannot read the memory, in ms. */
const REPORT_EVERY_MS = 50;

function send(message: ScalingMessage): void {
  process.send?.(message);
}

/** Lowers the priority, so that pages go first, and lets this process end first if memory runs out. */
function giveWay(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Continue with the usual priority, because pictures can be scaled all the same.
  }
}

async function readPicture({ file, bodyBytes, sha256 }: PictureFile): Promise<Buffer> {
  const picture = (await readFile(file)).subarray(0, bodyBytes);
  if (hash('sha256', picture, 'base64url') !== sha256) throw new Error('the file is another one by now');
  return picture;
}

async function work(order: ScaleOrder, scaling: Scaling): Promise<ScalingMessage> {
  const { id } = order;
  let picture: Buffer | null;
  try {
    picture = order.kind === 'share-card' ? null : await readPicture(order);
  } catch (error) {
    return { kind: 'changed', id, reason: messageOf(error) };
  }
  try {
    return { kind: 'scaled', id, bytes: await made(order, picture, scaling) };
  } catch (error) {
    const { status, message } =
      error instanceof ImageRefusedError ? error : new ImageRefusedError(422, 'This picture is broken.');
    const cause = error instanceof ImageRefusedError ? error.cause : error;
    return { kind: 'refused', id, status, message, reason: cause ? messageOf(cause) : message };
  }
}

async function made(order: ScaleOrder, picture: Buffer | null, scaling: Scaling): Promise<Buffer> {
  if (order.kind === 'share-card') return scaling.draw(order.card, order);
  if (picture === null) throw new Error('the order names no picture');
  if (order.kind === 'rendition') return scaling.scale(picture, order.width, order.format);
  return order.kind === 'share-picture' ? scaling.cut(picture, order.focus) : scaling[order.kind](picture);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

process.on('disconnect', () => process.exit());
giveWay();
if (process.platform !== 'linux')
  setInterval(() => send({ kind: 'memory', bytes: process.memoryUsage.rss() }), REPORT_EVERY_MS).unref();
loadScaler(process.argv[2] ?? null)
  .then(scaling => {
    process.on('message', async (order: ScaleOrder) => send(await work(order, scaling)));
    send({ kind: 'ready' });
  })
  .catch((error: unknown) => send({ kind: 'unavailable', reason: messageOf(error) }));
