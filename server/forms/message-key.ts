import { createHash } from 'node:crypto';

const BUCKET_MS = 10 * 60 * 1_000;
/** A post this soon after a bucket begins, in ms, may be a second click on a post of the bucket before, or a retry of it. */
const BORDER_MS = 2 * 60 * 1_000;

/**
 * @returns the key of a message that was posted without one, because a cached page cannot carry a key. Equal words from one IP address in
 * one bucket of ten minutes have the same key, and are delivered once. The key is a UUID (version 8, RFC 9562). Near the beginning of a
 * bucket `earlierKey` is the key of the bucket before.
 *
 * @param address the sender's IP address.
 * @param now ms since the epoch.
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

/** @returns the key of a text: a UUID (version 8, RFC 9562) that reveals nothing of it. */
export function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
