/** @returns the decoded text, or null for one that cannot be decoded: `%`, `%zz`, or bytes that are not UTF-8. */
export function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
