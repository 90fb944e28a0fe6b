import type { BackendClient } from '../backend/backend-client.ts';
import { callOf, joined, pageOf } from '../content/content-calls.ts';
import { entryOf, unwrap } from '../content/decode/wire.ts';
import { labelOf } from '../content/described-types.ts';
import type { Ask } from './ask.ts';
import type { ExaminedType } from './examine-type.ts';
import type { Finding } from './finding.ts';

/** Strapi 5 and Strapi 4 name drafts by different parameters. */
export const DRAFTS = {
  5: 'status=draft',
  4: 'publicationState=preview&filters[publishedAt][$null]=true',
} as const;

export interface DraftOptions {
  readonly ask: Ask;
  /** A client without any credentials, as a stranger has none. */
  readonly stranger: BackendClient;
  /** Whether the token of the site is tried, too. */
  readonly triesToken: boolean;
  readonly version: 4 | 5;
}

/**
 * Looks for drafts that strangers can read, and drafts that the token of the site can read. The site never asks for them with that token.
 * A stranger is tried with each type that has pages, the token with one type of each storage.
 */
export async function checkDrafts(
  types: readonly ExaminedType[],
  { ask, stranger, triesToken, version }: DraftOptions,
): Promise<Finding[]> {
  const withPages = types.filter(({ type, error }) => type.route !== undefined && error === null);
  const leaking = async (tried: readonly ExaminedType[], client?: BackendClient) => {
    const leaks = await Promise.all(
      tried.map(async ({ type }) => {
        const paging = type.storage === 'single' ? '' : pageOf(1, 1);
        const { body } = await ask.json(callOf(type, joined(DRAFTS[version], paging)), client);
        const bare = unwrap(body);
        const rows = Array.isArray(bare) ? bare : [bare];
        return rows.some(row => entryOf(row)?.attributes.publishedAt === null);
      }),
    );
    return tried.filter((_, index) => leaks[index]).map(({ name }) => labelOf(name));
  };
  const ofStorage = (storage: string) => withPages.filter(({ type }) => type.storage === storage).slice(0, 1);
  const [open, readable] = await Promise.all([
    leaking(withPages, stranger),
    triesToken ? leaking([...ofStorage('collection'), ...ofStorage('single')]) : [],
  ]);
  const common = { severity: 'warning', about: 'drafts', isLogged: false } as const;
  const findings: Finding[] = [];
  if (open.length > 0)
    findings.push({
      ...common,
      what: `everybody can read drafts (?status=draft) of ${open.join(', ')}`,
      remedy:
        'Strapi: Settings → Users & Permissions plugin → Roles → Public: no find of these types; give the site an API token (CONTENT_TOKEN)',
      pages: 'none: unpublished texts are open to strangers',
    });
  if (readable.length > 0)
    findings.push({
      ...common,
      what: `CONTENT_TOKEN can read drafts of ${readable.join(', ')}: who gets hold of it reads unpublished texts`,
      remedy: 'guard drafts from every token but that of the preview, as the project in cms/ does',
      pages: 'none: the site never asks for drafts with it',
    });
  return findings;
}
