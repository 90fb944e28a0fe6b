import type { BackendClient } from '../backend/backend-client.ts';
import type { Config } from '../config/config.ts';
import { callOf, joined, pageOf } from '../wire/content-calls.ts';
import { descriptionOf, labelOf, permissionLabelOf } from '../wire/described-types.ts';
import type { Ask } from './ask.ts';
import { type ExaminedType, entriesOf, ROWS } from './examine-type.ts';
import { type Finding, type FindingCode, type Found, finding } from './finding.ts';

const DRAFTS = {
  5: 'status=draft',
  4: 'publicationState=preview&filters[publishedAt][$null]=true',
} as const;

interface DraftOptions {
  readonly ask: Ask;
  readonly config: Pick<Config, 'preview' | 'contentToken'>;
  readonly stranger: BackendClient;
  readonly previewer: BackendClient | null;
  readonly version: 4 | 5;
}

type Tried = Awaited<ReturnType<typeof tryType>>;

export async function checkDrafts(types: readonly ExaminedType[], options: DraftOptions): Promise<Finding[]> {
  const { config, stranger } = options;
  const withPages = types.filter(({ type }) => type.route !== undefined);
  const leaking = (tried: readonly Tried[]) =>
    tried
      .filter(({ entries }) => entries.some(({ attributes }) => attributes.publishedAt === null))
      .map(({ examined }) => labelOf(examined.name))
      .join(', ');
  // Skip a token that equals the preview's token, because `checkPreviewToken` reports it.
  const triesToken = config.contentToken !== null && config.contentToken !== config.preview?.token;
  const ofEachStorage = ['collection', 'single'].flatMap(
    storage => withPages.find(({ type }) => type.storage === storage) ?? [],
  );
  const [open, readable] = await Promise.all([
    tryAll(withPages, options, stranger).then(leaking),
    triesToken ? Promise.all(ofEachStorage.map(one => tryType(one, [], options))).then(leaking) : '',
  ]);
  const toStrangers = finding('drafts-open-to-strangers', {
    what: `everybody can read drafts (?status=draft) of ${open}`,
    remedy:
      'Strapi: Settings → Users & Permissions plugin → Roles → Public: no find of these types; give the site an API token (CONTENT_TOKEN)',
  });
  const toToken = finding('drafts-open-to-token', {
    what: `CONTENT_TOKEN can read drafts of ${readable}: who gets hold of it reads unpublished texts`,
    remedy: 'guard drafts from every token but that of the preview, as the project in cms/ does',
  });
  return [open === '' ? [] : toStrangers, readable === '' ? [] : toToken].flat();
}

const TOKEN = "'Site preview'";
const OTHER_TOKEN = `set PREVIEW_TOKEN to another token, and restart the site: in the CMS of cms/ to that of ${TOKEN} (PREVIEW_TOKEN in cms/.env), in another Strapi to a new one (Settings → API Tokens) with find of every type`;

export async function checkPreviewToken(
  types: readonly ExaminedType[],
  options: DraftOptions,
): Promise<Found> {
  const { config, previewer } = options;
  if (!config.preview || !previewer) return [];
  const tried = await tryAll(types, options, previewer);
  const failed = tried.filter(({ error }) => error !== null && error.status !== 404);
  const one = (code: FindingCode, what: string, remedy: string) => finding(code, { what, remedy });
  if (config.preview.token === config.contentToken)
    return one(
      'preview-token-shared',
      failed.length > 0
        ? 'PREVIEW_TOKEN is the same token as CONTENT_TOKEN, and it may not read drafts'
        : 'PREVIEW_TOKEN is the same token as CONTENT_TOKEN, so who gets hold of the token of the public site reads unpublished texts',
      OTHER_TOKEN,
    );
  const [first] = failed;
  if (first?.error && failed.length === tried.length)
    return one(
      'preview-token-refused',
      `PREVIEW_TOKEN cannot read drafts: ${first.error.reason}`,
      first.error.status === 403
        ? `Strapi: Settings → API Tokens → ${TOKEN}: find of every type. The CMS of cms/ gives drafts to the token of this name alone`
        : OTHER_TOKEN,
    );
  const refused = failed.map(({ examined }) => examined.name);
  const missing = [...new Set([...refused, ...tried.flatMap(({ hidden }) => hidden)])];
  if (missing.length === 0) return [];
  return one(
    'preview-token-without-permissions',
    `the token in PREVIEW_TOKEN may not read ${missing.map(name => `“${labelOf(name)}”`).join(', ')}, so previews with them are errors or lack them`,
    `Strapi: Settings → API Tokens → ${TOKEN} → ${missing.map(permissionLabelOf).join(', ')} → allow find`,
  );
}

/** Requests drafts of each content type. Skips a type whose entries came as relations of other drafts. */
async function tryAll(
  types: readonly ExaminedType[],
  options: DraftOptions,
  client: BackendClient,
): Promise<Tried[]> {
  const related = (one: ExaminedType) => types.filter(({ name }) => relationsOf(one).has(name));
  const inside = new Set(types.flatMap(related));
  const tried = await Promise.all(
    types
      .filter(one => !inside.has(one))
      .map(async one => {
        const own = await tryType(one, related(one), options, client);
        const inner = related(one).flatMap(examined => {
          const field = relationsOf(one).get(examined.name) ?? '';
          const entries = own.entries.flatMap(({ attributes }) => entriesOf(attributes[field]));
          return entries.length > 0 ? [{ examined, error: null, entries, hidden: [] }] : [];
        });
        return [own, ...inner];
      }),
  ).then(found => found.flat());
  if (tried.every(({ error }) => error !== null)) return tried;
  const left = types.filter(one => !tried.some(({ examined }) => examined === one));
  tried.push(...(await Promise.all(left.map(one => tryType(one, [], options, client)))));
  return types.flatMap(one => tried.filter(({ examined }) => examined === one));
}

async function tryType(
  examined: ExaminedType,
  related: readonly ExaminedType[],
  { ask, version }: DraftOptions,
  client?: BackendClient,
) {
  const { type, entries } = examined;
  // A type without an API path is read only through relations, so populate it to see if that is allowed.
  const relations = [...relationsOf(examined)].filter(
    ([target, field]) =>
      related.some(({ name }) => name === target) ||
      (descriptionOf(target).path === null &&
        entries.some(({ attributes }) => Object.hasOwn(attributes, field))),
  );
  const populated = relations.map(([, field]) => `populate[${field}]=true`);
  const paging = type.storage === 'single' ? '' : pageOf(1, ROWS);
  const { body, error } = await ask.json(callOf(type, joined(DRAFTS[version], ...populated, paging)), client);
  const drafts = error ? [] : entriesOf(body);
  const [entry] = drafts;
  // Find types without an API path whose entries the site receives and this client does not.
  const hidden = relations.flatMap(([target, field]) =>
    entry && descriptionOf(target).path === null && !Object.hasOwn(entry.attributes, field) ? [target] : [],
  );
  return { examined, error, entries: drafts, hidden };
}

function relationsOf({ type, refused }: ExaminedType): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(type.fields).flatMap(([field, description]) =>
      description.kind === 'relation' && !refused.has(field) ? [[description.target, field]] : [],
    ),
  );
}
