import type { Element, Root } from 'hast';

/**
 * Visits each element of a tree, parents before children.
 * unist-util-visit is not used: its visits would take a twentieth of the time in which an article is compiled.
 */
export function eachElement(parent: Root | Element, visit: (element: Element) => void): void {
  for (const node of parent.children) {
    if (node.type !== 'element') continue;
    visit(node);
    eachElement(node, visit);
  }
}
