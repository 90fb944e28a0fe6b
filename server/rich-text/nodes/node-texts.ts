import type { RichNode } from '../../../shared/content/rich-text.ts';

export function appendNode(nodes: RichNode[], node: RichNode): void {
  const last = nodes.at(-1);
  if (node === '') return;
  if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node;
  else nodes.push(node);
}

export function appended(nodes: readonly RichNode[]): RichNode[] {
  const joined: RichNode[] = [];
  for (const node of nodes) appendNode(joined, node);
  return joined;
}

/** Repairs a text as browsers do: no NUL, line breaks as LF, no lone surrogates. */
export function wellFormed(text: string): string {
  return text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed();
}
