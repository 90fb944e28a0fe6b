import type { Question } from '../../shared/content/links.ts';
import type { RichNode, RichText } from '../../shared/content/rich-text.ts';
import { decodeUri } from '../../shared/routing/decode-uri.ts';
import { numberedId } from '../content/rich-text/settle-ids.ts';
import { safeHref } from '../content/safe-address.ts';

/**
 * The ids of one page. Each rich text has an id once and none of the site's own (`settle-ids.ts`). A page may have several texts, so an
 * id that an earlier text has gets a number: `fees`, `fees-1`. Links inside the text follow.
 */
export interface PageIds {
  /** @returns the id of a section, with a number if it is taken. Sections come before texts, because links from other pages name them. */
  section(id: string): string;
  /** @returns the text with ids that are new on the page: the same object if nothing has to change. */
  text(tree: RichText): RichText;
  questions(questions: readonly Question[]): readonly Question[];
  /** @returns an entry with a text and questions. Its text comes first. */
  entry<T extends { readonly body: RichText; readonly questions: readonly Question[] }>(entry: T): T;
}

/** @returns the ids of a page that has no texts yet. */
export function createPageIds(): PageIds {
  const taken = new Set<string>();

  function claim(id: string): string {
    let free = id;
    for (let number = 1; taken.has(free); number += 1) free = numberedId(id, number);
    taken.add(free);
    return free;
  }

  function text(tree: RichText): RichText {
    const renamed = new Map<string, string>();
    for (const id of idsIn(tree)) {
      const free = claim(id);
      if (free !== id) renamed.set(id, free);
    }
    return renamed.size === 0 ? tree : tree.map(node => withIds(node, renamed));
  }

  const questions: PageIds['questions'] = list => {
    const settled = list.map(question => {
      const answer = text(question.answer);
      return answer === question.answer ? question : { ...question, answer };
    });
    return settled.every((question, index) => question === list[index]) ? list : settled;
  };

  return {
    section: claim,
    text,
    questions,
    entry(entry) {
      const settled = { body: text(entry.body), questions: questions(entry.questions) };
      const isSame = settled.body === entry.body && settled.questions === entry.questions;
      return isSame ? entry : { ...entry, ...settled };
    },
  };
}

/** @param found the ids so far, in the order of the text. */
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
