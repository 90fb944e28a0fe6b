/** A compact sanitised tree, so that browsers need neither parser nor sanitiser. */
export type RichText = readonly RichNode[];

/** A text, or an element with React's attribute names. Pictures also have `scaled`, as in `image.ts`. */
export type RichNode = string | RichElement;
export type RichElement = readonly [tag: string, attributes: RichAttributes | null, children: RichText];
export type RichAttributes = Readonly<Record<string, string | number | boolean>>;

export interface RichHeading {
  id: string;
  text: string;
  level: 2 | 3;
}

export interface Question {
  question: string;
  answer: RichText;
}
