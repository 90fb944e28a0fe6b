import { type RouteId, routeById } from '../../shared/routing/routes.ts';
import { labelOf, type ServedType } from '../content/described-types.ts';

/** A fault of the backend, or of the configuration that leads to it. */
export interface Finding {
  /** `error`: pages or forms are broken. `warning`: something is missing on pages, comes late, or is open to strangers. */
  readonly severity: 'error' | 'warning';
  /** Set for a warning about something that may be so on purpose, such as a field that a backend lacks: pages are whole. */
  readonly mayStay?: true;
  /** The subject, in one word: a check such as `token`, or the path of a content type. */
  readonly about: string;
  /** The fault, in one sentence. */
  readonly what: string;
  /** The place to click in the CMS, or the variable to set. */
  readonly remedy: string;
  /** The pages that suffer, such as `/blog, /blog/:category`. */
  readonly pages: string;
  /** Whether the site writes a line of its own about the fault when it reads the content. */
  readonly isLogged: boolean;
}

export const EVERY_PAGE = 'every page';
/** The places of the forms, whose messages go to the backend. */
export const FORMS = 'the contact form and the subscribe form';

/** The landing page is the home page; every page shows its links of the subscribe block, and pages with the contact form its contacts. */
const HOME = '/';
const PAGES_OF_LANDING: Readonly<Record<string, string>> = {
  subscribeBlockSocials: EVERY_PAGE,
  contactsBlock: '/, /:slug',
  contactsListWithCheckmarks: '/, /:slug',
};

/**
 * @param field a field of the type, with the fields inside it: `headerBlock.title`. Undefined for the type as a whole.
 * @returns the pages that show a type or a field, in words.
 */
export function pagesOf({ path, readBy, route }: ServedType, field?: string): string {
  if (path === 'landing')
    return field === undefined
      ? `${HOME}, and the links of the subscribe block on every page`
      : (PAGES_OF_LANDING[field.split('.', 1)[0] ?? ''] ?? HOME);
  if (readBy === 'every page') return EVERY_PAGE;
  const routes = new Set<RouteId>([...(route ? [route] : []), ...readBy]);
  return [...routes].map(id => routeById(id).path).join(', ');
}

/** @returns a type in a sentence: its name, and the address that the site asks. */
export function named(model: string, { path }: ServedType): string {
  return `“${labelOf(model)}” (/api/${path})`;
}

/** @returns words in single quotation marks, with commas between them. */
export function quotedList(words: readonly string[]): string {
  return words.map(word => `'${word}'`).join(', ');
}
