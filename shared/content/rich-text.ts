/** A compact sanitised tree. The browser needs neither parser nor sanitiser. */
export type RichText = readonly RichNode[];

/** A text or an element, with React's names of attributes. A picture also has `scaled`, as in `image.ts`. */
export type RichNode = string | RichElement;
export type RichElement = readonly [tag: string, attributes: RichAttributes | null, children: RichText];
export type RichAttributes = Readonly<Record<string, string | number | boolean>>;

/** A heading for the table of contents. `id` is its anchor. */
export interface RichHeading {
  id: string;
  text: string;
  level: 2 | 3;
}

export interface Question {
  question: string;
  answer: RichText;
}
