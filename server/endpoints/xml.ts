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

type XmlAttributes = Readonly<Record<string, string | number | null>>;

/** @returns an element of XML. @param children elements, as this function has made them. Attributes without a value are left out. */
export function xmlElement(
  name: string,
  attributes: XmlAttributes,
  children: readonly string[] = [],
): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === null ? [] : [` ${key}="${escapeXml(String(value))}"`]))
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** @returns an element of XML with a text; an empty array for a text that is null or empty. */
export function xmlText(name: string, text: string | null, attributes: XmlAttributes = {}): string[] {
  return text ? [xmlElement(name, attributes, [escapeXml(text)])] : [];
}
