/** The fields of the subscribe form. The name of a field is the name of its label, too. */
export const SUBSCRIBE_FIELDS = ['email', 'consent'] as const;
