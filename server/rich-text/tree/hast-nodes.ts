import type { Element, ElementContent, Root } from 'hast';

export function element(
  tagName: string,
  children: readonly ElementContent[],
  properties: Element['properties'] = {},
): Element {
  return { type: 'element', tagName, properties, children: [...children] };
}

export function text(value: string): ElementContent {
  return { type: 'text', value };
}

/** Visits parents before children. unist-util-visit would take a twentieth of an article's compile time. */
export function eachElement(parent: Root | Element, visit: (element: Element) => void): void {
  for (const node of parent.children) {
    if (node.type !== 'element') continue;
    visit(node);
    eachElement(node, visit);
  }
}
