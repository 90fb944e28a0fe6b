/** Repairs a text as browsers do: no NUL, line breaks as LF, no lone surrogates. */
export function wellFormed(text: string): string {
  return text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed();
}
