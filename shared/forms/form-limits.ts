/** The longest values in UTF-16 units, as `maxlength` counts. */
export const MAX_LENGTHS = {
  name: 120,
  email: 254,
  company: 200,
  topic: 200,
  message: 5_000,
  consent: 1_000,
} as const;

/** The shortest time to fill in a form, in ms. The server takes a faster sender for a robot. */
export const MIN_FILL_MS = 2_000;

export const SUBSCRIBE_FIELDS = ['email', 'consent'] as const;
