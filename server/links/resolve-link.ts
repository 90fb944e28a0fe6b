import { matchRoute } from '../../shared/routing/match-route.ts';
import { splitAddress } from '../../shared/routing/redirects.ts';
import type { Config } from '../config/config.ts';
import type { OpenReader } from '../content/reading/content-reader.ts';
import type { Logger } from '../ops/log.ts';
import { pageRequestOf } from '../page/page-request.ts';
import { type PreviewParts, previewParts } from '../page/preview/answer-preview.ts';
import type { Preview } from '../page/preview/preview.ts';
import { resolvePage } from '../page/resolve/resolve-page.ts';
import type { ResolvedPage } from '../page/resolve/resolved-page.ts';

export type Verdict =
  | { readonly kind: 'here' }
  | { readonly kind: 'moved'; readonly why: string }
  /** @property isNameless whether DNS has no address for another site's host. */
  | { readonly kind: 'dead'; readonly why: string; readonly isNameless?: true };

export interface ResolvingParts extends PreviewParts {
  readonly content: PreviewParts['content'] & { readonly openReader: OpenReader };
  readonly config: Config;
  readonly preview: Preview | null;
  readonly log: Logger;
}

export const HERE: Verdict = { kind: 'here' };
/** Matches addresses of files and endpoints, which have no page route. */
const NO_PAGE = /^\/(?:uploads|assets|images|builds|api|subscribe|\.well-known)\/|\.(?:xml|txt|json|md)$/;

/**
 * Resolves a path of the site as for a visitor. A page that only a preview shows is a draft.
 * @throws BackendError, and other errors of loaders, which say nothing about the link.
 */
export async function resolveLink(
  parts: ResolvingParts,
  href: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const { path, search } = splitAddress(href);
  if (NO_PAGE.test(path)) return HERE;
  const resolve = ({ content, ...others }: ResolvingParts): Promise<ResolvedPage> =>
    resolvePage({ ...others, content } as ResolvingParts, {
      request: pageRequestOf(path + search),
      match: matchRoute(parts.routes, path),
      reader: content.openReader({ signal }),
      ...{ origin: parts.config.publicOrigin, log: parts.log, signal },
    });
  const resolved = await resolve(parts);
  if (resolved.kind === 'page') return HERE;
  if (resolved.kind === 'redirect') {
    const { to, statusCode } = resolved.redirect;
    return { kind: 'moved', why: `${path} leads to ${to} by a redirect (${statusCode}): link to ${to}` };
  }
  if (resolved.error.statusCode === 410)
    return { kind: 'dead', why: `the redirects say that ${path} is gone (410)` };
  const draft = parts.preview && previewParts(parts, parts.preview, { status: 'draft', at: null }, signal);
  const isDraft = draft !== null && (await resolve(draft).catch(() => null))?.kind === 'page';
  return { kind: 'dead', why: isDraft ? `${path} is a draft` : `there is no page at ${path} (404)` };
}
