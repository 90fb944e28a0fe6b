/** The labels of the contact form's fields, in order. They have a module of their own, because few pages have this form. */
export const CONTACT_LABELS = {
  name: 'Name',
  email: 'E-mail',
  company: 'Company',
  topic: 'Topic',
  message: 'Message',
} as const;
