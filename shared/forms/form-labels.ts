/** What the fields of the subscribe form are called. */
export const SUBSCRIBE_LABELS = { email: 'E-mail' } as const;

/** The trap for robots in every form: `website`. */
export const TRAP_LABEL = 'Leave this empty';
