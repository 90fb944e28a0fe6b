/** The names of fields and labels in order, in a separate module because few pages have this form. */
export const CONTACT_FIELDS = ['name', 'email', 'company', 'topic', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
