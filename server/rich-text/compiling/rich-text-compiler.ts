import type { Element, Root, Text } from 'hast';
import { toneOf } from '../../../shared/content/rich-text-tags.ts';
import type { MediaPolicy } from '../../addresses/safe-address.ts';
import type { EmbedProvider } from '../../config/embed-providers.ts';
import { type CutTree, cutNodes, cutText, type TreeSize, UNBOUNDED } from '../../wire/cut-nodes.ts';
import { isGiven, quoted } from '../../wire/decode-context.ts';
import type { LoseText, TextLoss } from '../../wire/lose-text.ts';
import { highlight } from '../nodes/highlight-code.ts';
import { type ColourCode, toRichText } from '../nodes/to-rich-nodes.ts';
import { parseBlocks } from '../sources/parse-blocks.ts';
import { parseSource } from '../sources/parse-source.ts';
import { withoutFormatting } from '../sources/plain-paragraphs.ts';
import { TooComplexError } from '../sources/source-bounds.ts';
import { eachElement } from '../tree/hast-nodes.ts';
import { normalizeIds } from '../tree/normalize-ids.ts';
import { normalizePlayers } from '../tree/normalize-players.ts';
import { sanitise } from '../tree/sanitise.ts';
import { showLost } from '../tree/show-lost.ts';

interface CompileOptions {
  media: MediaPolicy;
  providers?: readonly EmbedProvider[];
  /** Receives differences between the editor's text and the page. */
  lose?: LoseText;
  colour?: ColourCode;
  isPlain?: boolean;
  /** The largest size. The rest of the text is left out. */
  maxSize?: TreeSize;
}

/**
 * Compiles Markdown, HTML or blocks. Never throws: a text that is too complex becomes plain paragraphs.
 * Run it in a thread, because some sources take minutes (`compile-pool.ts`).
 */
export function compileRichText(source: unknown, options: CompileOptions): CutTree {
  const { media, providers = [], lose = () => {}, colour = highlight } = options;
  const { isPlain = false, maxSize = UNBOUNDED } = options;
  if (source === null || !isGiven(source)) return cutNodes([], maxSize);
  if (typeof source !== 'string' && typeof source !== 'object') {
    lose('value-left-out', `${quoted(source)} is not shown: a text is needed`);
    return cutNodes([], maxSize);
  }
  const plain = () => withoutFormatting(typeof source === 'string' ? source : JSON.stringify(source));
  if (isPlain) return cutText(plain(), maxSize, lose);
  const found = createFoundLosses();
  try {
    const parsed =
      typeof source === 'string' ? parseSource(source, found.add) : parseBlocks(source, found.add);
    normalizeCallouts(parsed);
    const players = normalizePlayers(parsed, { media, providers });
    const tree = sanitise(showLost(parsed, { media, lose: found.add, players }));
    const richText = toRichText(tree, {
      media,
      providers,
      colour,
      lose: found.add,
      aliases: normalizeIds(tree),
    });
    found.reportTo(lose);
    return cutText(richText, maxSize, lose);
  } catch (error) {
    const reason = error instanceof TooComplexError ? error.message : String(error);
    lose('shown-as-text', `${reason}: the text is shown without its formatting`);
    return cutText(plain(), maxSize, lose);
  }
}

/** The first line of a quotation that GitHub shows as an alert, such as `> [!NOTE]`. */
const ALERT = /^\[!([a-z]+)\][ \t]*(?:\n|$)/i;

/** Turns quotations with `[!NOTE]` into `<aside data-tone="note">`, in place. */
function normalizeCallouts(tree: Root): void {
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

const MAX_LINES = 10;

/** Collects the losses of a text: each reason once, and at most MAX_LINES reasons of a kind. */
function createFoundLosses() {
  const found = new Map<TextLoss['kind'], Map<string, number>>();
  const add: LoseText = (kind, reason) => {
    const reasons = found.get(kind) ?? new Map<string, number>();
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    found.set(kind, reasons);
  };
  return {
    add,
    reportTo(lose: LoseText): void {
      for (const [kind, reasons] of found) {
        const lines = [...reasons].map(([reason, times]) =>
          times > 1 ? `${reason} (${times} times)` : reason,
        );
        for (const line of lines.slice(0, MAX_LINES)) lose(kind, line);
        const others = lines.length - MAX_LINES;
        if (others > 0) lose(kind, `and ${others} more of this kind in the same text`);
      }
    },
  };
}
