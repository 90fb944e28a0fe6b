/** The decoded text; null for `%`, `%zz`, or bytes that are not UTF-8. */
export function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A decoded path with one was encoded twice. Decoded again, it is another path. */
export const ENCODED_OCTET = /%[\da-f]{2}/i;
