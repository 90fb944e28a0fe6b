import type { RichNode, RichText } from '../../shared/content/rich-text.ts';
import type { LoseText } from './lose-text.ts';

export interface TreeSize {
  readonly nodes: number;
  readonly characters: number;
}

export interface CutTree {
  readonly tree: RichText;
  readonly size: TreeSize;
  readonly isCut: boolean;
}

/**
 * The limit of all rich texts in a request, and in an entry. Their size decides how long the main thread
 * reads, compares and renders them, and the browser hydrates them.
 */
export const MAX_SIZE: TreeSize = { nodes: 20_000, characters: 500_000 };
export const UNBOUNDED: TreeSize = { nodes: Infinity, characters: Infinity };

/** @returns the beginning of a tree, in reading order, within the limit. */
export function cutNodes(tree: RichText, bound: TreeSize): CutTree {
  let nodes = 0;
  let characters = 0;
  let isCut = false;

  function kept(all: RichText): RichNode[] {
    const found: RichNode[] = [];
    for (const node of all) {
      const own = typeof node === 'string' ? node.length : charactersOf(node[1]);
      const room = bound.characters - characters;
      const isTooLong = own > room;
      if (isCut || nodes === bound.nodes || room === 0 || (isTooLong && typeof node !== 'string')) {
        isCut = true;
        break;
      }
      nodes += 1;
      characters += Math.min(own, room);
      if (typeof node !== 'string') found.push([node[0], node[1], kept(node[2])]);
      else found.push(isTooLong ? node.slice(0, room).toWellFormed() : node);
      isCut ||= isTooLong;
    }
    return found;
  }

  return { tree: kept(tree), size: { nodes, characters }, isCut };
}

export function cutText(tree: RichText, bound: TreeSize, lose: LoseText): CutTree {
  const shortened = cutNodes(tree, bound);
  const { characters } = shortened.size;
  const shown =
    characters === 0 ? 'nothing of it is shown' : `only the beginning is shown, ${characters} characters`;
  if (shortened.isCut) lose('value-left-out', `the texts of the page are too large: ${shown}`);
  return shortened;
}

function charactersOf(attributes: Exclude<RichNode, string>[1]): number {
  let characters = 0;
  for (const value of Object.values(attributes ?? {}))
    if (typeof value === 'string') characters += value.length;
  return characters;
}
