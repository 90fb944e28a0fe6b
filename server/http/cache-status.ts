/** `Cache-Status` (RFC 9211) of an answer that the page cache never stores. */
export const BYPASS_STATUS = 'site; fwd=bypass';
