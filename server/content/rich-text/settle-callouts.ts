import type { Element, Root, Text } from 'hast';
import { CALLOUT_TONES, type CalloutTone } from '../../../shared/content/rich-text-tags.ts';
import { eachElement } from './each-element.ts';

/** The first line of a quotation that GitHub shows as an alert, such as `> [!NOTE]`. */
const ALERT = /^\[!([a-z]+)\][ \t]*(?:\n|$)/i;
/** Names of alerts that have no tone of their own. */
const TONES: Readonly<Record<string, CalloutTone>> = { important: 'note', caution: 'warning' };

/** @returns the tone of a callout by a name that editors use; null for another word. */
export function toneOf(name: string): CalloutTone | null {
  const word = name.toLowerCase();
  return CALLOUT_TONES.find(tone => tone === word) ?? TONES[word] ?? null;
}

/**
 * Turns quotations that begin with a line such as `[!NOTE]` into callouts: `<aside data-tone="note">`.
 *
 * @param tree changed in place, not yet sanitised.
 */
export function settleCallouts(tree: Root): void {
  eachElement(tree, element => {
    if (element.tagName !== 'blockquote') return;
    const paragraph = element.children.find(child => child.type === 'element');
    const words = paragraph?.tagName === 'p' ? firstText(paragraph) : null;
    const [line, name = ''] = ALERT.exec(words?.value ?? '') ?? [];
    const tone = toneOf(name);
    if (!paragraph || !words || line === undefined || tone === null) return;
    element.tagName = 'aside';
    element.properties = { id: element.properties.id, dataTone: tone };
    words.value = words.value.slice(line.length);
    if (paragraph.children.length === 1 && words.value.trim() === '')
      element.children = element.children.filter(child => child !== paragraph);
  });
}

function firstText({ children: [first] }: Element): Text | null {
  return first?.type === 'text' ? first : null;
}
