import * as z from 'zod';
import { operationSchema } from '../cache/tags/invalidation.ts';
import { stateSchema } from '../content/changes/sweep-memory.ts';

const path = z.string().min(1);
const row = z.object({
  ids: z.array(z.string()),
  slug: z.string().nullable(),
  updatedAt: z.string().nullable(),
  publishedAt: z.string().nullable(),
});

/** An event of the backend, for the logs of replicas that did not receive it. */
const receivedEvent = z.object({
  event: z.string(),
  type: path.nullable(),
  ids: z.array(z.string()),
  host: z.string().nullable(),
  at: z.string(),
  /** Whether the backend used WEBHOOK_SECRET_OLD; absent from earlier builds. */
  hasFormerSecret: z.boolean().optional(),
  by: z.string(),
});
export type ReceivedEvent = z.infer<typeof receivedEvent>;

const sharedEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('operation'), operation: operationSchema }),
  /**
   * The backend has called, so it works, and its types may have new fields. `event` is a field, because
   * earlier builds ignore new fields but reject new kinds.
   */
  z.object({ kind: z.literal('backend-called'), event: receivedEvent.optional() }),
  /** An operator has invalidated a tag. Its invalidation is shared as an `operation`. */
  z.object({ kind: z.literal('ops-purge'), tag: path, by: z.string() }),
  /** The backend has reported this removal, so no replica counts it as a loss of content. */
  z.object({ kind: z.literal('removal'), type: path, id: path }),
  z.object({ kind: z.literal('loss-accepted'), type: path }),
  z.object({ kind: z.literal('loss-restored'), type: path }),
  /** Files of the media library have changed or were deleted: paths below `/uploads/`. */
  z.object({ kind: z.literal('files'), paths: z.array(path), areDeleted: z.boolean() }),
  /** An event was applied to this row of the CMS, so the sweep need not report it as a change. */
  z.object({ kind: z.literal('heard'), type: path, row, isRemoval: z.boolean() }),
  z.object({ kind: z.literal('swept'), type: path, state: stateSchema }),
  /** A change was applied, so the most read pages are revalidated. */
  z.object({ kind: z.literal('refresh') }),
]);

export type SharedEvent = z.infer<typeof sharedEventSchema>;

export function encodeEvents(events: readonly SharedEvent[]): string {
  return JSON.stringify(events);
}

/** @returns null for a text of another build with unknown events. */
export function decodeEvents(text: string): readonly SharedEvent[] | null {
  try {
    return z.array(sharedEventSchema).parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export function removedBy(events: readonly SharedEvent[]): readonly string[] {
  return events.flatMap(event =>
    event.kind === 'operation' && event.operation.kind === 'remove' ? event.operation.tags : [],
  );
}
