/** Compares slugs and paths. NFC comes last: some accented letters are one character in lower case only. */
export function canonicalForm(text: string): string {
  return text.toLowerCase().normalize('NFC');
}
