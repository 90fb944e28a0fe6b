/**
 * The header with which a preview requests its page at another time, with its entries. An empty header means
 * now. A value that is no time means the time of the preview.
 */
export const MOMENT_HEADER = 'Preview-Moment';

/** What a preview knows of a page beside its data. */
export interface PreviewNotes {
  /** Fields such as `articles:42.title`, by the mark at the end of a text, or by the address of a file. */
  readonly fields: Readonly<Record<string, string>>;
  /** The place of each type in Strapi's panel, such as `collection-types/api::article.article`. */
  readonly types: Readonly<Record<string, string>>;
  /** The entries of the page, such as `articles:42`, as the CMS sent them; only with MOMENT_HEADER. */
  readonly entries?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The field of the date that visitors see, by type. */
  readonly dates: Readonly<Record<string, string>>;
  /** The field of the settings that can replace words of the interface, which are not content. */
  readonly words: string;
  /** What the page leaves out of its content, and why. The field is null for a whole entry. */
  readonly problems: readonly { readonly field: string | null; readonly reason: string }[];
}

/** A field as sent by the panel (`cms/src/site/panel/edits.mjs`) or read from the content folder. */
export interface FieldState {
  readonly value?: unknown;
  /** The version of the entry, or of its file. Saving needs it, so that nobody's change is lost. */
  readonly updatedAt?: string | undefined;
  /** Who saved last; empty if that is unknown. */
  readonly by?: string;
  readonly hasDrafts?: boolean;
  readonly file?: string | undefined;
  /** Whether somebody else has saved since, so that nothing was saved now. */
  readonly isChanged?: boolean;
  readonly refused?: string;
}

/** A row of the preview's calendar: a change that happens on a date, without an editor. */
export interface PlannedChange {
  /** The time in the site's time zone, such as `2026-12-24T09:00`. */
  readonly at: string;
  readonly kind: 'appears' | 'ends';
  readonly type: string;
  readonly title: string;
}

/** The address at which a preview reads and saves texts of the content folder. */
export const EDIT_PATH = '/api/preview/edit';

/**
 * A mark: Unicode tag digits and the tag for the end. They are invisible, and slugs and country names drop
 * them, because they are format characters.
 */
export const MARK = /[\u{E0030}-\u{E0039}]{1,6}\u{E007F}/gu;
const FIRST_DIGIT = 0xe0030;

export function markOf(index: number): string {
  const digits = [...String(index)].map(digit => String.fromCodePoint(FIRST_DIGIT + Number(digit)));
  return `${digits.join('')}\u{E007F}`;
}
