import * as z from 'zod';
import { operationSchema } from '../cache/invalidation-operation.ts';

const path = z.string().min(1);
const row = z.object({
  ids: z.array(z.string()),
  slug: z.string().nullable(),
  updatedAt: z.string().nullable(),
  publishedAt: z.string().nullable(),
});

/** An event of the backend, for the logs of the replicas that did not get it. */
const heardEvent = z.object({
  /** The name of the event, such as `entry.publish`. */
  event: z.string(),
  type: path.nullable(),
  ids: z.array(z.string()),
  /** The name by which the backend has called the replica. */
  host: z.string().nullable(),
  /** When it came, in ISO 8601. */
  at: z.string(),
  /** The name of the replica that got it. */
  by: z.string(),
});
export type HeardEvent = z.infer<typeof heardEvent>;

/** The news of the content that one replica has, and tells the others. */
export const sharedEventSchema = z.discriminatedUnion('kind', [
  /** An operation on the caches. */
  z.object({ kind: z.literal('operation'), operation: operationSchema }),
  /**
   * The backend has called the site, so it is up, and its types may have new fields. With `event` it is the last news of an event. A field of an old
   * kind is ignored by the build before, which could not read a new kind.
   */
  z.object({ kind: z.literal('backend-called'), event: heardEvent.optional() }),
  /** An operator has invalidated a tag, which is an operation of its own. */
  z.object({ kind: z.literal('ops-purge'), tag: path, by: z.string() }),
  /** The backend has reported the removal of an entry: no other replica takes it for a loss. */
  z.object({ kind: z.literal('removal'), type: path, id: path }),
  /** An operator believes the loss of a type's entries. */
  z.object({ kind: z.literal('loss-taken'), type: path }),
  /** An operator brings back the removed content of a type. */
  z.object({ kind: z.literal('loss-restored'), type: path }),
  /** Files of the media library that have changed or are gone: paths below `/uploads/`. */
  z.object({ kind: z.literal('files'), paths: z.array(path), areDeleted: z.boolean() }),
  /** The row of an event, which is applied: the sweep need not find it. */
  z.object({ kind: z.literal('heard'), type: path, row, isRemoval: z.boolean() }),
  /** The state of a type at the last sweep of the replica that sweeps. */
  z.object({
    kind: z.literal('swept'),
    type: path,
    state: z.object({ newest: z.string(), time: z.string(), total: z.number() }),
  }),
  /** A change was applied: the pages that are read most are made again. */
  z.object({ kind: z.literal('refresh') }),
]);

export type SharedEvent = z.infer<typeof sharedEventSchema>;

/** @returns events as one text. */
export function encodeEvents(events: readonly SharedEvent[]): string {
  return JSON.stringify(events);
}

/** @returns the events of a text; null for a text of another build, which may name events that this one does not know. */
export function decodeEvents(text: string): readonly SharedEvent[] | null {
  try {
    return z.array(sharedEventSchema).parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @returns the names that events remove from the caches. */
export function removedBy(events: readonly SharedEvent[]): readonly string[] {
  return events.flatMap(event =>
    event.kind === 'operation' && event.operation.kind === 'remove' ? event.operation.tags : [],
  );
}
