/** What the fields of the contact form are called, in their order. Few pages have it: its labels are not among those of every page. */
export const CONTACT_LABELS = {
  name: 'Name',
  email: 'E-mail',
  company: 'Company',
  topic: 'Topic',
  message: 'Message',
} as const;
