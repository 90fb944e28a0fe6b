import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { ContentChange } from '../content/changes/content-changes.ts';
import { isServedModel, tagOfModel } from '../wire/described-types.ts';

/** The beginning of a long event is enough to name its entry. */
const KEPT_BYTES = 64 * 1024;

const key = z.union([z.string().min(1).max(100), z.number().int()]);
const address = z.string().max(2_000);
const eventSchema = z.object({
  event: z.string().max(100),
  /** The sender: `doctor` for a test event of `npm run doctor`. Absent in events of the backend. */
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

export type ContentEvent = z.infer<typeof eventSchema>;

/** @returns null for a body that is not an event; `'unknown'` for a long event in an unknown format. */
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
/** Matches the first members of an object, up to a value that is no number, null or simple string. */
const SHORT_MEMBERS = /^(?:"[^"\\]*":(?:"[^"\\]*"|\d+|null),)*/;

/** Reads the entry's keys, which Strapi writes first. An entry without `publishedAt` counts as published. */
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

/** @returns the paths of the event's files below `/uploads/`; null if the event names none. */
export function changedFiles(
  { event, media }: ContentEvent,
  mediaAddress: (address: string) => string | null,
): string[] | null {
  const isNew = event === 'media.create';
  if (!media) return isNew ? [] : null;
  const addresses = [media.url, ...Object.values(media.formats ?? {}).map(({ url }) => url)].map(
    mediaAddress,
  );
  // Skip a file on another host, because it has no tag.
  const paths = addresses.filter((address): address is string => address?.startsWith('/uploads/') === true);
  return isNew || paths.length === addresses.length ? paths : null;
}

/**
 * @returns the change; null for a draft, an unknown model, or an event about no entry. `slug` is the new one,
 * because events lack the former one.
 */
export function changeOf({ event, model, entry }: ContentEvent): ContentChange | null {
  if (!event.startsWith('entry.') || !model || !entry) return null;
  // Skip drafts, which have `publishedAt: null`. Types without drafts omit or set the field. Strapi 4 sends
  // null for unpublished entries too.
  if (entry.publishedAt === null && event !== 'entry.unpublish') return null;
  const type = tagOfModel(model);
  if (!type) return null;
  const ids = [entry.documentId, entry.id].filter(value => value !== undefined).map(String);
  const isRemoval = event === 'entry.unpublish' || event === 'entry.delete';
  return { type, ids, slug: entry.slug ?? null, isRemoval, isOfType: isServedModel(model) };
}
