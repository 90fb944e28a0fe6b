import * as sax from 'sax';

/** An XML element. */
export interface XmlElement {
  /** Name without a prefix. */
  name: string;
  /** Namespace, or empty. */
  namespace: string;
  /** Attributes by their names without a prefix, without namespace declarations. */
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Text directly in the element. */
  text: string;
}

const DECLARATIONS = 'http://www.w3.org/2000/xmlns/';

/**
 * @returns the root element. @throws Error for a text that is not well-formed, or that uses a prefix without
 *   a namespace.
 */
export function parseXml(text: string): XmlElement {
  const document: XmlElement = { name: '', namespace: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const top = () => open.at(-1) ?? document;
  const parser = sax.parser(true, { xmlns: true });
  parser.onerror = error => {
    throw error;
  };
  parser.onopentag = ({ local, uri, attributes }) => {
    const own = Object.values(attributes).filter(attribute => attribute.uri !== DECLARATIONS);
    const element: XmlElement = {
      ...{ name: local, namespace: uri, children: [], text: '' },
      attributes: Object.fromEntries(own.map(attribute => [attribute.local, attribute.value])),
    };
    top().children.push(element);
    open.push(element);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = part => {
    top().text += part;
  };
  parser.oncdata = parser.ontext;
  parser.write(text).close();
  const [root] = document.children;
  if (!root) throw new Error('The document has no element');
  return root;
}

/** @returns the children with a name. @param namespace any by default */
export function childrenNamed(element: XmlElement, name: string, namespace?: string): XmlElement[] {
  return element.children.filter(
    child => child.name === name && (namespace === undefined || child.namespace === namespace),
  );
}

/** @returns the text of the first child with a name, or null. */
export function childText(element: XmlElement, name: string, namespace?: string): string | null {
  return childrenNamed(element, name, namespace)[0]?.text ?? null;
}
