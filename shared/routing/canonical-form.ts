/** Normalises slugs and paths. NFC comes last, because some letters compose only in lower case. */
export function canonicalForm(text: string): string {
  return text.toLowerCase().normalize('NFC');
}
