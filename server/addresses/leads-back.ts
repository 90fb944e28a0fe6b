import {
  pathKey,
  type RedirectTable,
  resolveRedirect,
  splitAddress,
} from '../../shared/routing/redirects.ts';

/** @returns the current path of the entry that once had `path`; null if none had, or if `path` is current. */
type PresentPath = (path: string) => Promise<string | null>;

const MAX_RENAMES = 5;

/** Looks for redirects from an entry's path to its own former path. @returns the former path, or null. */
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
