/**
 * Rich text as a compact sanitised tree. The server makes it from Markdown or HTML (`server/content/rich-text/`). The
 * browser only turns it into React elements (`shared/ui/rich-text.tsx`), so it needs neither parser nor sanitiser.
 */
export type RichText = readonly RichNode[];

/**
 * A text, or an element: `[tag, attributes, children]`. Attribute names are those of React. A picture also has `scaled`, as
 * in `image.ts`.
 */
export type RichNode = string | RichElement;
export type RichElement = readonly [tag: string, attributes: RichAttributes | null, children: RichText];
export type RichAttributes = Readonly<Record<string, string | number | boolean>>;

/** A heading of a rich text, for the table of contents. `id` is its anchor. */
export interface RichHeading {
  id: string;
  text: string;
  /** 2 or 3: deeper headings stay out of the table of contents. */
  level: 2 | 3;
}
