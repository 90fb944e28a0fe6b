/**
 * The one form in which slugs and paths are written and compared: lower case, composed (NFC). `Über-Uns`, `über-uns` and `über-uns` with
 * a decomposed accent are the same address for a reader, while a database may store each of them as another text. NFC comes after
 * `toLowerCase`, because some accented letters are one character in lower case only.
 */
export function canonicalForm(text: string): string {
  return text.toLowerCase().normalize('NFC');
}
