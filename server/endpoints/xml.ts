import { escapeHtml } from '../render/document.ts';

/** Characters that XML forbids even as references (XML 1.0, 2.2), and lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

export function escapeXml(text: string): string {
  return escapeHtml(text.replace(FORBIDDEN, ''));
}

type XmlAttributes = Readonly<Record<string, string | number | null>>;

/** @param children elements made by this function. Attributes without a value are left out. */
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

/** @returns the element; '' for a missing or empty text. */
export function xmlText(name: string, text: string | null, attributes: XmlAttributes = {}): string {
  return text ? xmlElement(name, attributes, [escapeXml(text)]) : '';
}
