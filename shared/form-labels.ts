/** What the fields of the forms are called, in the order in which they stand. */
export const CONTACT_LABELS = {
  name: 'Name',
  email: 'E-mail',
  company: 'Company',
  topic: 'Topic',
  message: 'Message',
} as const;
export const SUBSCRIBE_LABELS = { email: 'E-mail' } as const;

/** The trap for robots: `website`. */
export const TRAP_LABEL = 'Leave this empty';
