/** @returns the decoded text, or null for one that cannot be decoded: `%`, `%zz`, or bytes that are not UTF-8. */
export function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** An octet that is percent-encoded. A path that has one after its decoding was encoded twice, and whoever decodes it again finds another path. */
export const ENCODED_OCTET = /%[\da-f]{2}/i;
