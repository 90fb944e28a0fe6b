import type { RichText } from '../../../shared/content/rich-text.ts';
import type { MediaPolicyOptions } from '../../addresses/safe-address.ts';
import type { EmbedProvider } from '../../config/embed-providers.ts';
import type { TreeSize } from '../../wire/cut-nodes.ts';
import type { TextLoss } from '../../wire/lose-text.ts';

export interface TextToCompile {
  /** Markdown or HTML, or the JSON of Blocks and of a dynamic zone. */
  readonly source: string;
  readonly isJson: boolean;
  /** The files that the text may show, and the providers whose films it may play. */
  readonly media: MediaPolicyOptions & { readonly embedProviders?: readonly EmbedProvider[] };
  readonly maxSize: TreeSize;
  /** Whether the text becomes plain paragraphs, because its formatting would take too long. */
  readonly isPlain: boolean;
}

/** A compiled text with the findings about it. */
export interface CompiledText {
  readonly tree: RichText;
  readonly size: TreeSize;
  readonly losses: readonly TextLoss[];
  /** The CPU time that was used for the text, in ms. */
  readonly cpuMs: number;
}

export interface CompileTask extends TextToCompile {
  /** The numbers of the blocks of code that were too slow to colour. */
  readonly plainBlocks: readonly number[];
  /** All blocks of code from this number on stay without colours. */
  readonly plainFrom: number;
  /** The memory of a `TaskClock`. */
  readonly clock: SharedArrayBuffer;
}

/** The tree is JSON text, which the main thread reads faster than a copy of the objects. */
export interface CompileAnswer extends Omit<CompiledText, 'tree'> {
  readonly json: string;
}
