/** The longest text of each field of a form, in UTF-16 units, as `maxlength` counts them. */
export const MAX_LENGTHS = { name: 120, email: 254, company: 200, topic: 200, message: 5_000 } as const;

/** Nobody fills in a form sooner than this after it is there, in ms: a page's script waits with it until then. */
export const MIN_FILL_MS = 2_000;
