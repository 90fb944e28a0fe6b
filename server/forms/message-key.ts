import { createHash } from 'node:crypto';

const BUCKET_MS = 10 * 60 * 1_000;
/** A message within this time of a bucket's start, in ms, may repeat one of the previous bucket. */
const BORDER_MS = 2 * 60 * 1_000;

/**
 * Makes an idempotency key for a message from a cached page, whose form cannot contain one. Equal messages
 * from one IP address are delivered once in a bucket of ten minutes. `earlierKey` is the previous bucket's.
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

/** Makes a UUID (version 8, RFC 9562) that reveals nothing about the text. */
export function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
