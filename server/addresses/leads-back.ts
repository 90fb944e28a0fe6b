import {
  pathKey,
  type RedirectTable,
  resolveRedirect,
  splitAddress,
} from '../../shared/routing/redirects.ts';

/** @returns the present path of the entry that had a path before; null for an unknown or present path. */
export type PresentPath = (path: string) => Promise<string | null>;

const MAX_RENAMES = 5;

/** @returns the former address through which a redirect leads back to its own path, or null. */
export async function leadsBack(
  table: RedirectTable,
  path: string,
  presentPath: PresentPath,
): Promise<string | null> {
  const start = pathKey(path);
  let at = path;
  for (let renames = 0; renames < MAX_RENAMES; renames += 1) {
    const redirect = resolveRedirect(table, at);
    if (!redirect || redirect.external) return null;
    const former = splitAddress(redirect.to).path;
    const present = await presentPath(former);
    if (present === null) return null;
    if (pathKey(present) === start) return former;
    at = present;
  }
  return null;
}
