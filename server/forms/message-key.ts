import { createHash } from 'node:crypto';

const BUCKET_MS = 10 * 60 * 1_000;
/** So soon after a bucket begins, a post may be a second click on one of the bucket before. */
const BORDER_MS = 2 * 60 * 1_000;

/**
 * For a message without a key, as cached pages carry none. Equal words from one IP address in ten minutes are
 * delivered once.
 * @param now ms since the epoch.
 * @returns `earlierKey`, the key of the bucket before, near the beginning of a bucket.
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

/** A UUID (version 8, RFC 9562) that reveals nothing of the text. */
export function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
