/** The part of turndown that the import uses. The package has no types. */
declare module 'turndown' {
  export default class TurndownService {
    constructor(options: Readonly<Record<string, string>>);
    keep(tags: readonly string[]): this;
    turndown(html: string): string;
  }
}

/** The part of fast-xml-parser that the import uses, so that types are checked before it is installed. */
declare module 'fast-xml-parser' {
  export class XMLParser {
    constructor(options: Readonly<Record<string, boolean | ((name: string) => boolean)>>);
    parse(xml: string): unknown;
  }
  export const XMLValidator: { validate(xml: string): true | { err: { line: number; msg: string } } };
}
