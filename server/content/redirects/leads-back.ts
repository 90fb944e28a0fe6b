import {
  pathKey,
  type RedirectTable,
  resolveRedirect,
  splitAddress,
} from '../../../shared/routing/redirects.ts';

/** @returns the present path of the entry that had a path before; null for a path of which no entry is known, or that an entry has now. */
export type PresentPath = (path: string) => Promise<string | null>;

/** Most former addresses that a chain passes. */
const MAX_RENAMES = 5;

/**
 * Looks whether the redirect of a path leads back to it, by way of a former address: an editor has given an entry the address of a redirect to the
 * entry's old one. The page of an entry that has the path now is then shown, and the row is left out.
 *
 * @returns the former address that leads back; null for a redirect that leads elsewhere.
 */
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
