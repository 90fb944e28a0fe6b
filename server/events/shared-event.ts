import * as z from 'zod';
import { operationSchema } from '../cache/tags/invalidation-operation.ts';

const path = z.string().min(1);
const row = z.object({
  ids: z.array(z.string()),
  slug: z.string().nullable(),
  updatedAt: z.string().nullable(),
  publishedAt: z.string().nullable(),
});

/** An event of the backend, for the logs of the replicas that did not get it. */
const receivedEvent = z.object({
  /** Such as `entry.publish`. */
  event: z.string(),
  type: path.nullable(),
  ids: z.array(z.string()),
  /** The name by which the backend has called the replica. */
  host: z.string().nullable(),
  /** In ISO 8601. */
  at: z.string(),
  /** The replica that got it. */
  by: z.string(),
});
export type ReceivedEvent = z.infer<typeof receivedEvent>;

const sharedEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('operation'), operation: operationSchema }),
  /**
   * The backend has called, so it is up, and its types may have new fields. `event` is a field because the
   * build before ignores new fields, but cannot read a new kind.
   */
  z.object({ kind: z.literal('backend-called'), event: receivedEvent.optional() }),
  /** An operator has invalidated a tag. The invalidation is shared as an `operation`. */
  z.object({ kind: z.literal('ops-purge'), tag: path, by: z.string() }),
  /** The backend has reported a removal: no replica counts it as a loss. */
  z.object({ kind: z.literal('removal'), type: path, id: path }),
  /** An operator accepts the loss of a type's entries. */
  z.object({ kind: z.literal('loss-accepted'), type: path }),
  /** An operator restores the removed content of a type. */
  z.object({ kind: z.literal('loss-restored'), type: path }),
  /** Changed or deleted files of the media library: paths below `/uploads/`. */
  z.object({ kind: z.literal('files'), paths: z.array(path), areDeleted: z.boolean() }),
  /** The row of an applied event: the sweep need not find it. */
  z.object({ kind: z.literal('heard'), type: path, row, isRemoval: z.boolean() }),
  /** The state of a type at the last sweep. */
  z.object({
    kind: z.literal('swept'),
    type: path,
    state: z.object({ newest: z.string(), time: z.string(), total: z.number() }),
  }),
  /** A change was applied: renew the pages that are read most. */
  z.object({ kind: z.literal('refresh') }),
]);

export type SharedEvent = z.infer<typeof sharedEventSchema>;

export function encodeEvents(events: readonly SharedEvent[]): string {
  return JSON.stringify(events);
}

/** @returns null for a text of another build, which may contain unknown events. */
export function decodeEvents(text: string): readonly SharedEvent[] | null {
  try {
    return z.array(sharedEventSchema).parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @returns the tags that events remove from the caches. */
export function removedBy(events: readonly SharedEvent[]): readonly string[] {
  return events.flatMap(event =>
    event.kind === 'operation' && event.operation.kind === 'remove' ? event.operation.tags : [],
  );
}
