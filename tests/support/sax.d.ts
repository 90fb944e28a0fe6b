/** The part of sax that the tests use. The package has no types. */
declare module 'sax' {
  interface Attribute {
    local: string;
    uri: string;
    value: string;
  }
  interface OpenedTag {
    local: string;
    uri: string;
    attributes: Record<string, Attribute>;
  }
  interface Parser {
    onopentag: (tag: OpenedTag) => void;
    onclosetag: () => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    onerror: (error: Error) => void;
    write(text: string): Parser;
    close(): Parser;
  }
  export function parser(strict: boolean, options: { xmlns: boolean }): Parser;
}
