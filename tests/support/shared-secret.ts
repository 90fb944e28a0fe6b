/** Secret by which the tests' replicas sign what they write to their store. */
export const SHARED_SECRET = 'the-shared-secret-of-the-replicas';
