/** `Cache-Status` (RFC 9211) of an answer that never is in the page cache. */
export const BYPASS_STATUS = 'site; fwd=bypass';
