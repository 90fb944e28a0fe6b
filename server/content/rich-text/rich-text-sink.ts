import type { UnsizedPicture } from './read-rich-text.ts';

/** Receives the findings about a rich text while it is compiled. */
export interface RichTextSink {
  /** Called for each kind of thing that visitors do not see as the editor made it, with the effect on the page in words. */
  lose(
    kind: 'value-left-out' | 'shown-as-text' | 'element-left-out' | 'address-refused',
    reason: string,
  ): void;
  /** Called with each picture without a size. Its attributes may be completed until the text is published. */
  unsized(picture: UnsizedPicture): void;
}
