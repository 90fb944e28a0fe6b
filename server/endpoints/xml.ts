const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that no XML document may have, even as a reference (XML 1.0, section 2.2, `Char`), and halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** @returns a text for an element or an attribute of XML. Characters that XML does not allow are left out. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"']/g, character => ENTITIES[character] ?? character);
}
