import type { RichText } from '../../../shared/content/rich-text.ts';
import type { MediaPolicyOptions } from '../../addresses/safe-address.ts';
import type { EmbedProvider } from '../../config/embed-providers.ts';
import type { TreeSize } from '../../wire/cut-nodes.ts';
import type { TextLoss } from '../../wire/lose-text.ts';

export interface TextToCompile {
  /** Markdown or HTML, or JSON of Blocks and dynamic zones. */
  readonly source: string;
  readonly isJson: boolean;
  /** The files that a text may show, and the providers whose videos it may play. */
  readonly media: MediaPolicyOptions & { readonly embedProviders?: readonly EmbedProvider[] };
  readonly maxSize: TreeSize;
  /** Whether to make plain paragraphs, because the formatting would take too long. */
  readonly isPlain: boolean;
}

export interface CompiledText {
  readonly tree: RichText;
  readonly size: TreeSize;
  readonly losses: readonly TextLoss[];
  readonly cpuMs: number;
}

export interface CompileTask extends TextToCompile {
  /** The numbers of code blocks that were too slow to colour. */
  readonly plainBlocks: readonly number[];
  readonly plainFrom: number;
  readonly clock: SharedArrayBuffer;
}

/** The result of a thread. The tree is JSON text, which is faster to read than a copy of the objects. */
export interface CompileAnswer extends Omit<CompiledText, 'tree'> {
  readonly json: string;
}
