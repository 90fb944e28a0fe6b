/** The names of fields and labels, in order. They are a module because few pages have this form. */
export const CONTACT_FIELDS = ['name', 'email', 'company', 'topic', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
