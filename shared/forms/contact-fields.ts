/** The fields of the contact form, in order. The name of a field is the name of its label, too. They have a module of their own, because few pages have this form. */
export const CONTACT_FIELDS = ['name', 'email', 'company', 'topic', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
