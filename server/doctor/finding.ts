import { type RouteId, routeById } from '../../shared/routing/routes.ts';
import type { ServedType } from '../content/described-types.ts';

/** A fault of the backend, or of the configuration that leads to it. */
export interface Finding {
  /** `error`: pages or forms are broken. `warning`: something is missing on pages, comes late, or is open to strangers. */
  readonly severity: 'error' | 'warning';
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

/** @returns the pages that show a type, in words. */
export function pagesOf({ readBy, route }: Pick<ServedType, 'readBy' | 'route'>): string {
  if (readBy === 'every page') return EVERY_PAGE;
  const routes = new Set<RouteId>([...(route ? [route] : []), ...readBy]);
  return [...routes].map(id => routeById(id).path).join(', ');
}

/** @returns the name of a model as Strapi's panel shows it, such as `Business solution`. */
export function labelOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
}

/** @returns words in single quotation marks, with commas between them. */
export function quotedList(words: readonly string[]): string {
  return words.map(word => `'${word}'`).join(', ');
}
