import { routeById } from '../../shared/routing/routes.ts';
import { siteRoutes } from '../../site/routes.ts';
import { siteTypes } from '../../site/types.ts';
import { routesOfType } from '../addresses/type-routes.ts';
import { labelOf, type ServedType } from '../wire/described-types.ts';

export interface Finding {
  readonly code: FindingCode;
  /** `error`: pages or forms are broken. `warning`: something is missing, late, or public. */
  readonly severity: 'error' | 'warning';
  /** Set for a warning that may stay, because its cause may be intended. */
  readonly mayStay?: true;
  /** The subject: a check such as `token`, or the path of a content type. */
  readonly about: string;
  readonly what: string;
  readonly remedy: string;
  /** The affected pages, such as `/blog, /blog/:category`. */
  readonly pages: string;
  /** Whether the site logs the fault itself when it reads the content. */
  readonly isLogged: boolean;
}

const EVERY_PAGE = 'every page';
const NO_PAGE_FOR_EDITORS = 'none: the preview of editors alone';

const address = { severity: 'error', about: 'address', pages: EVERY_PAGE, isLogged: true } as const;
const token = { ...address, about: 'token' } as const;
/** A template that `aboutType` completes with the type's path and pages. */
const typeError = { severity: 'error', about: '', pages: '', isLogged: true } as const;
const typeWarning = { ...typeError, severity: 'warning' } as const;
const redirects = { ...typeWarning, about: siteTypes.redirect.path } as const;
const warning = { severity: 'warning', pages: EVERY_PAGE, isLogged: false } as const;
const drafts = { ...warning, about: 'drafts' } as const;
const media = { severity: 'error', about: 'media', pages: EVERY_PAGE, isLogged: false } as const;
const preview = { ...warning, about: 'preview', pages: NO_PAGE_FOR_EDITORS } as const;
const webhook = { ...warning, about: 'webhook' } as const;
const email = { ...media, about: 'email', pages: 'the contact form and the subscribe form' } as const;

export const FINDINGS = {
  'address-elsewhere': { ...address, isLogged: false },
  'address-silent': address,
  'address-timeout': address,
  'address-without-types': address,
  'address-of-another-server': { ...address, isLogged: false },
  'cms-failing': address,
  'token-refused': token,
  'token-absent': token,
  'token-without-permissions': token,
  'public-without-permissions': token,
  'type-forbidden': typeError,
  'needed-type-absent': typeError,
  'type-absent': typeWarning,
  'optional-type-absent': { ...typeWarning, mayStay: true },
  'type-failing': typeError,
  'single-type-of-another-name': typeError,
  'single-type-unsaved': typeError,
  'single-type-unpublished': typeError,
  'relation-forbidden': typeError,
  'needed-field-absent': typeError,
  'field-absent': { ...typeWarning, isLogged: false, mayStay: true },
  'optional-field-absent': { ...typeWarning, mayStay: true },
  'field-empty': { ...typeError, isLogged: false },
  'field-of-another-kind': { ...typeWarning, isLogged: false },
  'section-unknown': typeWarning,
  'accent-unused': typeWarning,
  'slug-reserved': typeError,
  'slug-clash': typeWarning,
  'slug-clashes-more': typeWarning,
  'category-absent': typeWarning,
  'date-absent': typeWarning,
  'alternative-text-absent': { ...typeWarning, isLogged: false, mayStay: true },
  'picture-small': { ...typeWarning, isLogged: false, mayStay: true },
  'redirect-idle': redirects,
  'redirect-leads-back': { ...redirects, isLogged: false },
  'link-dead': typeWarning,
  'link-moved': { ...typeWarning, mayStay: true },
  'drafts-open-to-strangers': { ...drafts, pages: 'none: unpublished texts are open to strangers' },
  'drafts-open-to-token': { ...drafts, pages: 'none: the site never asks for drafts with it' },
  'media-origin-refused': media,
  'media-unreachable': media,
  'preview-token-shared': preview,
  'preview-token-refused': preview,
  'preview-token-without-permissions': preview,
  'preview-frame-refused': preview,
  'preview-unopened': preview,
  'forms-failing': email,
  'forms-unchecked': { ...email, severity: 'warning' },
  'webhook-absent': webhook,
  'webhook-unreached': webhook,
  'webhook-missed-change': webhook,
  'webhook-silent': webhook,
  'connection-unencrypted': { ...warning, about: 'connections', mayStay: true },
  'public-address-unencrypted': { ...warning, about: 'connections' },
  'variable-unknown': { ...warning, about: 'variables', isLogged: true, mayStay: true },
  'shared-store-unsealed': { ...warning, about: 'shared', isLogged: true },
} as const satisfies Readonly<Record<string, Omit<Finding, 'code' | 'what' | 'remedy'>>>;
export type FindingCode = keyof typeof FINDINGS;

export type Found = Finding | readonly Finding[];

type Sentences = Pick<Finding, 'what' | 'remedy'> & Partial<Omit<Finding, 'code'>>;

export function finding(code: FindingCode, sentences: Sentences): Finding {
  return { code, ...FINDINGS[code], ...sentences };
}

/** @param fields the paths of the fields that the finding concerns, such as `headerBlock.title`. */
export function aboutType(
  code: FindingCode,
  type: ServedType,
  sentences: Sentences,
  fields?: readonly string[],
): Finding {
  const pages = fields ? new Set(fields.map(field => pagesOf(type, field))) : [pagesOf(type)];
  return finding(code, { about: type.path, pages: [...pages].join(', '), ...sentences });
}

const HOME = routeById(siteRoutes.home).path;
const HOME_AND_PAGES = `${HOME}, ${routeById(siteRoutes.page).path}`;
const PAGES_OF_LANDING: Readonly<Record<string, string>> = {
  subscribeBlockSocials: EVERY_PAGE,
  contactsBlock: HOME_AND_PAGES,
  contactsListWithCheckmarks: HOME_AND_PAGES,
};

function pagesOf({ path }: ServedType, field?: string): string {
  if (path === siteTypes.landing.path)
    return field === undefined
      ? `${HOME}, and the links of the subscribe block on every page`
      : (PAGES_OF_LANDING[field.split('.', 1)[0] ?? ''] ?? HOME);
  const { readBy } = routesOfType(path);
  return readBy === 'every page' ? EVERY_PAGE : readBy.map(id => routeById(id).path).join(', ');
}

export function named(model: string, { path }: ServedType): string {
  return `“${labelOf(model)}” (/api/${path})`;
}

export function quotedList(words: readonly string[]): string {
  return words.map(word => `'${word}'`).join(', ');
}

export function sortedFindings(findings: readonly Finding[]): readonly Finding[] {
  const weightOf = ({ severity, mayStay }: Finding) => (severity === 'error' ? 2 : mayStay ? 0 : 1);
  return findings.toSorted((a, b) => weightOf(b) - weightOf(a));
}
