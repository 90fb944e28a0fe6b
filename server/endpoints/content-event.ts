import type { IncomingMessage } from 'node:http';
import * as z from 'zod';

/** Bytes that are kept of an event. It contains the whole entry, which may be long, but its beginning is enough to name the entry. */
const KEPT_BYTES = 64 * 1024;

const key = z.union([z.string().min(1).max(100), z.number().int()]);
const address = z.string().max(2_000);
const eventSchema = z.object({
  event: z.string().max(100),
  /** The sender, where it is not the backend: `npm run doctor` tries the webhook. */
  by: z.literal('doctor').optional().catch(undefined),
  model: z.string().max(100).optional(),
  entry: z
    .object({
      id: key.optional(),
      documentId: key.optional(),
      publishedAt: z.string().nullish(),
      updatedAt: z.string().nullish().catch(null),
      slug: z.string().nullish().catch(null),
    })
    .optional(),
  media: z
    .object({
      url: address,
      updatedAt: z.string().nullish().catch(null),
      formats: z
        .record(z.string(), z.object({ url: address }))
        .nullish()
        .catch(null),
    })
    .optional()
    .catch(undefined),
});

/** A change of the content, as the backend reports it. */
export type ContentEvent = z.infer<typeof eventSchema>;

/**
 * Reads an event to its end, within the server's time limit for requests, and keeps its beginning.
 *
 * @returns null for a body that is no event; `'unknown'` for a long event that does not begin as Strapi's events do.
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
/** The leading members of an object that are strings without escapes, numbers or null. The entry's keys are among them. */
const SHORT_MEMBERS = /^(?:"[^"\\]*":(?:"[^"\\]*"|\d+|null),)*/;

/**
 * Reads the beginning of an event. Strapi writes the event, the model and then the entry, with its keys first. `publishedAt` comes late:
 * an entry whose `publishedAt` is cut off counts as published.
 *
 * @param text an event that is cut off.
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
