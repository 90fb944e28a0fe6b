export const SUBSCRIBE_FIELDS = ['email', 'consent'] as const;
