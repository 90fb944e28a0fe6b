/** In UTF-16 units, as `maxlength` counts them. */
export const MAX_LENGTHS = {
  name: 120,
  email: 254,
  company: 200,
  topic: 200,
  message: 5_000,
  consent: 1_000,
} as const;

/** The server refuses a form that is sent sooner after its appearance, in ms, as a robot's. */
export const MIN_FILL_MS = 2_000;
