import type { IncomingMessage } from 'node:http';
import * as z from 'zod';

/**
 * An event has the whole entry in it, which may be longer than what anybody else may send. So much of it is kept, in bytes:
 * what it is about stands at its beginning.
 */
const KEPT_BYTES = 64 * 1024;

const key = z.union([z.string().min(1).max(100), z.number().int()]);
const eventSchema = z.object({
  event: z.string().max(100),
  model: z.string().max(100).optional(),
  entry: z
    .object({ id: key.optional(), documentId: key.optional(), publishedAt: z.string().nullish() })
    .optional(),
});

/** What the content backend says has happened. */
export type ContentEvent = z.infer<typeof eventSchema>;

/**
 * Reads an event to its end, for which the server gives it its time, and keeps the first of it.
 *
 * @returns null for what is none, `'unknown'` where it is too long to be kept and begins otherwise than Strapi's do.
 */
export async function readEvent(req: IncomingMessage): Promise<ContentEvent | null | 'unknown'> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    if (bytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - bytes));
    bytes += chunk.byteLength;
  }
  const text = Buffer.concat(kept).toString('utf8');
  return bytes > KEPT_BYTES ? startOfEvent(text) : (eventSchema.safeParse(jsonOf(text)).data ?? null);
}

const ENTRY = '"entry":{';
/** The first members of an object, as long as their values are short: its keys are among them. */
const SHORT_MEMBERS = /^(?:"[^"\\]*":(?:"[^"\\]*"|\d+|null),)*/;

/**
 * @param text an event that was cut off. Strapi writes the event, the model and then the entry, its keys first; whether it is
 * a draft comes late, and where that was cut off it counts as published.
 */
export function startOfEvent(text: string): ContentEvent | 'unknown' {
  const at = text.indexOf(ENTRY);
  if (at < 0) return 'unknown';
  const head = text.slice(0, at + ENTRY.length);
  const [members = ''] = SHORT_MEMBERS.exec(text.slice(head.length)) ?? [];
  return eventSchema.safeParse(jsonOf(`${head}${members.slice(0, -1)}}}`)).data ?? 'unknown';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
