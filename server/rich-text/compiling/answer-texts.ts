import type { RichText } from '../../../shared/content/rich-text.ts';
import { MAX_SIZE } from '../../wire/cut-nodes.ts';
import { isGiven, quoted } from '../../wire/decode-context.ts';
import type { LoseText, TextLoss } from '../../wire/lose-text.ts';
import { withoutFormatting } from '../sources/plain-paragraphs.ts';
import type { CompiledText, TextToCompile } from './compile-task.ts';

/** Limit of CPU time for all texts of a request. Above it, further texts lose their formatting. */
const MAX_CPU_MS = 4_000;
const CPU_MS_PER_TEXT = 20;
/** How many characters of a text the main thread divides into paragraphs if no thread can compile it. */
const MAX_UNCOMPILED = 20_000;

export type AnswerTexts = ReturnType<typeof createAnswerTexts>;

export function createAnswerTexts(
  compile: (text: TextToCompile) => Promise<CompiledText>,
  media: TextToCompile['media'],
) {
  const compiled = new Map<string, Pick<CompiledText, 'tree' | 'losses'>>();
  const missing = new Map<string, Pick<TextToCompile, 'source' | 'isJson'>>();
  const used = { nodes: 0, characters: 0 };
  let cpuMs = 0;
  let isProvisional = false;

  async function compileNext(text: Pick<TextToCompile, 'source' | 'isJson'>) {
    const isPlain = cpuMs > MAX_CPU_MS + CPU_MS_PER_TEXT * compiled.size;
    try {
      const maxSize = {
        nodes: MAX_SIZE.nodes - used.nodes,
        characters: MAX_SIZE.characters - used.characters,
      };
      const result = await compile({ ...text, media, isPlain, maxSize });
      used.nodes += result.size.nodes;
      used.characters += result.size.characters;
      cpuMs += result.cpuMs;
      return isPlain ? { ...result, losses: [TOO_LONG, ...result.losses] } : result;
    } catch (error) {
      isProvisional = true;
      const tree = withoutFormatting(text.source.slice(0, MAX_UNCOMPILED));
      const reason = `${String(error)}: the beginning is shown without formatting`;
      return { tree, losses: [{ kind: 'shown-as-text' as const, reason }] };
    }
  }

  return {
    /** Returns a compiled text, or a placeholder for one that is not compiled yet. */
    get(source: unknown, lose: LoseText): RichText {
      if (!isGiven(source)) return [];
      if (typeof source !== 'string' && typeof source !== 'object') {
        lose('value-left-out', `${quoted(source)} is not shown: a text is needed`);
        return [];
      }
      const text = textOf(source);
      if (text === null) {
        lose('value-left-out', 'the blocks are nested too deeply: they are not shown');
        return [];
      }
      const key = `${text.isJson ? 'json' : 'text'} ${text.source}`;
      const known = compiled.get(key);
      if (!known) {
        missing.set(key, text);
        return PLACEHOLDER;
      }
      for (const { kind, reason } of known.losses) lose(kind, reason);
      return known.tree;
    },
    /** Whether `get` has returned placeholders since the last `compileMissing`. */
    get areMissing() {
      return missing.size > 0;
    },
    /** Compiles missing texts one by one, in the order of `get`. Never rejects. */
    async compileMissing() {
      const texts = [...missing];
      missing.clear();
      for (const [key, text] of texts) compiled.set(key, await compileNext(text));
    },
    /** Whether a valid text has no formatting, because no thread could compile it now. */
    get isProvisional() {
      return isProvisional;
    },
  };
}

const PLACEHOLDER: RichText = [['p', null, ['…']]];
const TOO_LONG: TextLoss = {
  kind: 'shown-as-text',
  reason: 'the texts before it have taken too long: the text is shown without its formatting',
};

/** @returns null for an object that is too deep for JSON. */
function textOf(source: string | object | null): Pick<TextToCompile, 'source' | 'isJson'> | null {
  if (typeof source === 'string') return { source, isJson: false };
  try {
    return { source: JSON.stringify(source), isJson: true };
  } catch {
    return null;
  }
}
