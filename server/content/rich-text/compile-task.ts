import type { RichText } from '../../../shared/content/rich-text.ts';
import type { EmbedProvider } from '../embeds/embed-providers.ts';
import type { MediaPolicyOptions } from '../safe-address.ts';
import type { TreeSize } from './cut-nodes.ts';
import type { TextLoss } from './lose-text.ts';

/** A text that is to be compiled. */
export interface TextToCompile {
  /** Markdown or HTML, or the JSON of Blocks and of a dynamic zone. */
  readonly source: string;
  readonly isJson: boolean;
  /** The files that the text may show, and the providers whose films it may play. */
  readonly media: MediaPolicyOptions & { readonly embedProviders?: readonly EmbedProvider[] };
  /** The bound of the result. */
  readonly maxSize: TreeSize;
  /** Whether the text becomes paragraphs without formatting, because its formatting would take too long. */
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

/** A task of a worker. */
export interface CompileTask extends TextToCompile {
  /** The numbers of the blocks of code that stay without colours, because they have taken too long before. */
  readonly plainBlocks: readonly number[];
  /** All blocks of code from this number on stay without colours. */
  readonly plainFrom: number;
  /** The memory of a `TaskClock`. */
  readonly clock: SharedArrayBuffer;
}

/** The answer of a worker. The tree is JSON text, which the main thread reads faster than a copy of the objects. */
export interface CompileAnswer extends Omit<CompiledText, 'tree'> {
  readonly json: string;
}
