import { createHash } from 'node:crypto';

const BUCKET_MS = 10 * 60 * 1_000;
/** In the first part of a bucket, of this length in ms, the same words may repeat a post from the bucket before: a second click, or a retry. */
const BORDER_MS = 2 * 60 * 1_000;

/**
 * The key of a message that was posted without one: a page is cached and cannot carry a key. Equal words from one address within ten
 * minutes are one message.
 *
 * @param address of the sender.
 * @param now ms since the epoch.
 * @returns a UUID (version 8, RFC 9562); near the beginning of a bucket the UUID of the bucket before, too.
 */
export function keyOfContent(
  message: Readonly<Record<string, string>>,
  address: string,
  now: number,
): { key: string; earlierKey?: string } {
  const bucket = Math.floor(now / BUCKET_MS);
  const keyIn = (bucket: number) => uuidOf(JSON.stringify([bucket, address, message]));
  return now % BUCKET_MS < BORDER_MS
    ? { key: keyIn(bucket), earlierKey: keyIn(bucket - 1) }
    : { key: keyIn(bucket) };
}

function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
