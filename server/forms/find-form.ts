import { matchRoute } from '../../shared/routing/match-route.ts';
import type { RouteId } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/reading/content-reader.ts';
import type { RouteContent } from '../loading/loader.ts';
import type { PageForm } from '../loading/page-forms.ts';
import type { PageMatch } from '../page/page-request.ts';
import { movedPath } from '../page/resolve/load-page.ts';
import type { FormPageParts } from './answer-with-page.ts';

/** The block with a form, in `site/blocks/form/`. */
const BLOCK = 'form';

/**
 * Finds the form that a post names in the content of its page. Nothing of the form is read from the post.
 * @param name the form's number, and the id of its entry: `form-1-ID`.
 * @returns null if the page has no such form.
 */
export async function findForm(
  parts: Pick<FormPageParts, 'routes' | 'contents'>,
  reader: ContentReader,
  path: string,
  name: string,
): Promise<PageForm | null> {
  const [, number, entry] = /^form-([1-9])-(.+)$/.exec(name) ?? [];
  const match = matchRoute(parts.routes, path);
  const present = match && (await readZone(parts, reader, match));
  const moved = match && !present ? await movedPath(parts, reader, match) : null;
  const target = moved === null ? null : matchRoute(parts.routes, moved);
  const zone = target ? await readZone(parts, reader, target) : present;
  if (zone?.id !== entry) return null;
  const forms = zone?.sections.filter(part => 'block' in part && part.block === BLOCK);
  const found = forms?.[Number(number) - 1];
  // The cast is safe: the compiler compares this type with the values of the block in `completeForm`.
  return found && 'block' in found ? (found.data as PageForm) : null;
}

async function readZone(
  { contents }: Pick<FormPageParts, 'contents'>,
  reader: ContentReader,
  { route, params }: PageMatch,
) {
  const zone = contents[route.id].zone as RouteContent<RouteId>['zone'];
  // The cast is safe: the parameters are those of the matched route.
  return (await zone?.(reader, params as never)) ?? null;
}
