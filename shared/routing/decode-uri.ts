/** @returns a percent-encoded text decoded, or null where it cannot be: `%`, `%zz`, or bytes that are no UTF-8. */
export function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
