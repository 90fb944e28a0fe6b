/** A percent sign without two hexadecimal digits. */
const BROKEN_OCTET = /%(?![\da-f]{2})/i;

/** @returns the decoded text; null for `%`, `%zz`, or bytes that are not UTF-8. */
export function decodeUri(text: string): string | null {
  // Check first: an exception costs as much as a tenth of a short response.
  if (BROKEN_OCTET.test(text)) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** An encoded octet in a decoded path, which was encoded twice. Decoding it again gives another path. */
export const ENCODED_OCTET = /%[\da-f]{2}/i;
