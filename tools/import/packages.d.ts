/** The part of turndown that the import uses. The package has no types. */
declare module 'turndown' {
  export default class TurndownService {
    constructor(options: Readonly<Record<string, string>>);
    keep(tags: readonly string[]): this;
    turndown(html: string): string;
  }
}
