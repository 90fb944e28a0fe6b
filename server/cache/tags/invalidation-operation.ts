import * as z from 'zod';

const tags = z.array(z.string().min(1));

/** An operation on all caches as plain JSON, so that other processes can run it. */
export const operationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invalidate'), tags }),
  z.object({ kind: z.literal('remove'), tags }),
  z.object({ kind: z.literal('expire-all') }),
  z.object({ kind: z.literal('invalidate-content'), tags }),
  z.object({ kind: z.literal('invalidate-memory'), tags }),
  z.object({
    kind: z.literal('invalidate-others'),
    above: z.string().min(1),
    level: z.string().length(1),
    kept: tags,
  }),
]);

export type InvalidationOperation = z.infer<typeof operationSchema>;
