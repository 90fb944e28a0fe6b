/** The greatest length of each field of a form, in UTF-16 units, as `maxlength` counts them. */
export const MAX_LENGTHS = { name: 120, email: 254, company: 200, topic: 200, message: 5_000 } as const;

/** A form that is sent sooner than this after it appeared counts as a robot's, in ms. The page's script waits until then. */
export const MIN_FILL_MS = 2_000;
