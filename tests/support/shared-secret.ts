/** The secret by which replicas of the tests prove what they write to their store. */
export const SHARED_SECRET = 'the-shared-secret-of-the-replicas';
