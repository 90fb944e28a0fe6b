/** The greatest length of each field of a form, in UTF-16 units, as `maxlength` counts them. */
export const MAX_LENGTHS = {
  name: 120,
  email: 254,
  company: 200,
  topic: 200,
  message: 5_000,
  consent: 1_000,
} as const;

/** The least time between a form's appearance and its submission, in ms. The server refuses a faster form as a robot's. */
export const MIN_FILL_MS = 2_000;
