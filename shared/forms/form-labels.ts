/** The labels of the subscribe form's fields. */
export const SUBSCRIBE_LABELS = { email: 'E-mail' } as const;

/** The label of `website`, the trap for robots in every form. */
export const TRAP_LABEL = 'Leave this empty';
