import type { Question, RichNode, RichText } from '../../shared/content/rich-text.ts';
import { decodeUri } from '../../shared/routing/decode-uri.ts';
import { safeHref } from '../addresses/safe-address.ts';
import { numberedId } from '../rich-text/tree/normalize-ids.ts';

export type PageIds = ReturnType<typeof createPageIds>;

/** Keeps ids unique in a page. A used id gets a number: `fees`, `fees-1`. Links in the text are adapted. */
export function createPageIds() {
  const taken = new Set<string>();

  function claim(id: string): string {
    let free = id;
    for (let number = 1; taken.has(free); number += 1) free = numberedId(id, number);
    taken.add(free);
    return free;
  }

  /** @returns the same object if nothing changes. */
  function text(tree: RichText): RichText {
    const renamed = new Map<string, string>();
    for (const id of idsIn(tree)) {
      const free = claim(id);
      if (free !== id) renamed.set(id, free);
    }
    return renamed.size === 0 ? tree : tree.map(node => withIds(node, renamed));
  }

  function questions(list: readonly Question[]): readonly Question[] {
    const unique = list.map(question => {
      const answer = text(question.answer);
      return answer === question.answer ? question : { ...question, answer };
    });
    return unique.every((question, index) => question === list[index]) ? list : unique;
  }

  return {
    /** Reserves a section's id. Call it before `text`, so that the section keeps the id that links use. */
    section: claim,
    text,
    questions,
    /** Makes the ids of an entry unique: first those of its text, then those of its questions. */
    entry<T extends { readonly body: RichText; readonly questions: readonly Question[] }>(entry: T): T {
      const unique = { body: text(entry.body), questions: questions(entry.questions) };
      const isSame = unique.body === entry.body && unique.questions === entry.questions;
      return isSame ? entry : { ...entry, ...unique };
    },
  };
}

function idsIn(tree: RichText, found: string[] = []): readonly string[] {
  for (const node of tree) {
    if (typeof node === 'string') continue;
    const id = node[1]?.id;
    if (typeof id === 'string') found.push(id);
    idsIn(node[2], found);
  }
  return found;
}

function withIds(node: RichNode, renamed: ReadonlyMap<string, string>): RichNode {
  if (typeof node === 'string') return node;
  const [tag, attributes, children] = node;
  const inner = children.map(child => withIds(child, renamed));
  const { id, href } = attributes ?? {};
  const newId = typeof id === 'string' ? renamed.get(id) : undefined;
  const target =
    typeof href === 'string' && href.startsWith('#')
      ? renamed.get(decodeUri(href.slice(1)) ?? '')
      : undefined;
  const newHref = target === undefined ? null : safeHref(`#${target}`);
  return [
    tag,
    attributes && {
      ...attributes,
      ...(newId === undefined ? {} : { id: newId }),
      ...(newHref === null ? {} : { href: newHref }),
    },
    inner,
  ];
}
