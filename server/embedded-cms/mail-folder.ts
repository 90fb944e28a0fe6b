import { createHash, randomUUID } from 'node:crypto';
import { access, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import { isObject } from '../wire/wire.ts';
import { type JsonRecord, toJsonRecord } from './content-types.ts';
import { StrapiError } from './strapi-error.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const SWEEP_EVERY_MS = 60 * 60 * 1_000;
/** The longest plausible gap between two sweeps, in ms. After a longer gap the clock may have jumped. */
const LONGEST_GAP_MS = 7 * DAY_MS;
/** How long the process must run before it trusts a clock that may have jumped, in ms. */
const DOUBT_MS = DAY_MS;
/** A file beside the messages. Its modification time is the time of the last sweep. */
const LAST_SWEEP = '.last-sweep';

export const MAX_MAIL_BYTES = 64 * 1024;

/** Parses a JSON object, or a JSON string that contains one. @throws StrapiError (400) for other bodies. */
export function parseMail(body: Buffer): JsonRecord {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const message: unknown = typeof parsed === 'string' ? JSON.parse(parsed) : parsed;
    if (isObject(message)) return toJsonRecord(message);
  } catch {
    // Refuse broken JSON with the same error as JSON that is not an object.
  }
  throw StrapiError.ofStatus(400, 'The body must be a JSON object');
}

/** Stores a message. A repeated message has the same `key` (`Idempotency-Key`), so the same file. */
export async function storeMail(
  mailDir: string,
  message: JsonRecord,
  key: string | undefined,
): Promise<void> {
  const name = createHash('sha256')
    .update(key ?? randomUUID())
    .digest('hex')
    .slice(0, 40);
  const file = path.join(mailDir, `${name}.json`);
  if ((await unlessMissing(access(file))) !== null) return;
  await mkdir(mailDir, { recursive: true });
  // Allow only the owner to read the file, because messages contain personal data.
  await writeFileAtomically(file, `${JSON.stringify(message, null, 2)}\n`, { mode: 0o600 });
}

/** Removes messages older than `days`, now and hourly. @returns a function that ends the removal. */
export function removeExpiredMail(
  mailDir: string,
  days: number,
  onError: (error: unknown) => void,
): () => void {
  const startedAt = performance.now();
  const sweep = () =>
    void sweepMail(mailDir, days, { now: Date.now(), upMs: performance.now() - startedAt }).catch(onError);
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  sweep();
  return () => clearInterval(timer);
}

/**
 * Removes expired messages. The first sweep only writes the marker. If the last sweep is over 7 days ago, the
 * clock may have jumped. Then nothing is removed until the process has run for a day.
 * `now` is in ms since the epoch; `upMs` is from a monotonic clock. @returns the number of removed messages.
 */
export async function sweepMail(
  mailDir: string,
  days: number,
  { now, upMs }: { now: number; upMs: number },
): Promise<number> {
  const names = await unlessMissing(readdir(mailDir));
  // No message has arrived yet.
  if (names === null) return 0;
  const marker = path.join(mailDir, LAST_SWEEP);
  const last = await unlessMissing(lstat(marker));
  if (last && now - last.mtimeMs > LONGEST_GAP_MS && upMs < DOUBT_MS) return 0;
  let removed = 0;
  // Remove one at a time, so that a large folder does not block other work.
  for (const name of last ? names : []) {
    const file = path.join(mailDir, name);
    const stats = name.endsWith('.json') ? await unlessMissing(lstat(file)) : null;
    if (stats === null || now - stats.mtimeMs <= days * DAY_MS) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  await writeFile(marker, '');
  return removed;
}
