import type { BackendClient } from '../backend/backend-client.ts';
import type { Config } from '../config.ts';
import { callOf, joined, pageOf } from '../content/content-calls.ts';
import { entryOf, unwrap } from '../content/decode/wire.ts';
import { descriptionOf, labelOf, permissionLabelOf } from '../content/described-types.ts';
import type { BackendError } from '../errors.ts';
import type { Ask } from './ask.ts';
import { askSite, siteAddress } from './ask-site.ts';
import { DRAFTS } from './check-drafts.ts';
import type { ExaminedType } from './examine-type.ts';
import type { Finding } from './finding.ts';

export interface PreviewOptions {
  readonly config: Pick<
    Config,
    | 'preview'
    | 'webhookSecret'
    | 'contentToken'
    | 'contentPublicUrl'
    | 'publicOrigin'
    | 'port'
    | 'contentTimeoutMs'
  >;
  readonly baseUrl: string;
  readonly ask: Ask;
  /** A client with PREVIEW_TOKEN; null without a preview. */
  readonly previewer: BackendClient | null;
  readonly version: 4 | 5;
  /** The types that the site may read. */
  readonly types: readonly ExaminedType[];
  /** Whether the running site is asked, too. */
  readonly asksSite: boolean;
}

const COMMON = {
  severity: 'warning',
  about: 'preview',
  pages: 'none: the preview of editors alone',
  isLogged: false,
} as const;
/** The name that the CMS of `cms/` gives the token. */
const TOKEN = "'Site preview'";
const OTHER_TOKEN = `set PREVIEW_TOKEN to another token, and restart the site: in the CMS of cms/ to that of ${TOKEN} (PREVIEW_TOKEN in cms/.env), in another Strapi to a new one (Settings → API Tokens) with find of every type`;

/** Looks whether the token of the preview can read drafts, whether the site opens a preview, and whether the panel may show it in a frame. */
export async function checkPreview(options: PreviewOptions): Promise<Finding[]> {
  const { config, baseUrl, asksSite } = options;
  if (!config.preview) return [];
  const { secret, frameOrigins } = config.preview;
  const findings = await checkToken(options);
  const panel = new URL(config.contentPublicUrl ?? baseUrl).origin;
  if (!frameOrigins.includes(panel))
    findings.push({
      ...COMMON,
      what: `the panel at ${panel} may not show the preview in its frame`,
      remedy: `add ${panel} to PREVIEW_FRAME_ORIGINS and restart the site`,
    });
  if (!asksSite) return findings;
  const address = `${siteAddress(config)}/api/preview`;
  const { status, reason } = await askSite(
    config,
    `${address}?url=/&status=draft&secret=${encodeURIComponent(secret[0])}`,
  );
  // Where nothing answers, the webhook does not reach the site either, and its finding says so.
  const isToldElsewhere = status === null && config.webhookSecret !== null;
  if (status !== 307 && !isToldElsewhere)
    findings.push({
      ...COMMON,
      what: `the site does not open a preview at ${address} (${reason})`,
      remedy:
        status === 401
          ? 'start site and CMS with the same PREVIEW_SECRET'
          : 'check that PUBLIC_URL is the address of this site; start the site with PREVIEW_SECRET and PREVIEW_TOKEN; let proxies pass /api/preview on',
    });
  return findings;
}

/** A call for the drafts of a type, with PREVIEW_TOKEN. */
interface Tried {
  readonly examined: ExaminedType;
  readonly error: BackendError | null;
  /** The names of related types without an address of their own that the answer lacks, although the public one has them. */
  readonly hidden: readonly string[];
}

/** Tries the token with each type that the site may read. What it may not read is an error in previews alone. */
async function checkToken({ config, ask, previewer, version, types }: PreviewOptions): Promise<Finding[]> {
  if (!config.preview || !previewer) return [];
  const tried = await Promise.all(types.map(one => tryType(one, ask, previewer, version)));
  const failed = tried.filter(({ error }) => error !== null && error.status !== 404);
  if (config.preview.token === config.contentToken)
    return [
      {
        ...COMMON,
        what:
          failed.length > 0
            ? 'PREVIEW_TOKEN is the same token as CONTENT_TOKEN, and it may not read drafts'
            : 'PREVIEW_TOKEN is the same token as CONTENT_TOKEN, so who gets hold of the token of the public site reads unpublished texts',
        remedy: OTHER_TOKEN,
      },
    ];
  const [first] = failed;
  if (first?.error && failed.length === tried.length)
    return [
      {
        ...COMMON,
        what: `PREVIEW_TOKEN cannot read drafts: ${first.error.reason}`,
        remedy:
          first.error.status === 403
            ? `Strapi: Settings → API Tokens → ${TOKEN}: find of every type. The CMS of cms/ gives drafts to the token of this name alone`
            : OTHER_TOKEN,
      },
    ];
  const missing = new Set([
    ...failed.map(({ examined }) => examined.name),
    ...tried.flatMap(({ hidden }) => hidden),
  ]);
  if (missing.size === 0) return [];
  const labels = [...missing].map(name => `“${labelOf(name)}”`).join(', ');
  return [
    {
      ...COMMON,
      what: `the token in PREVIEW_TOKEN may not read ${labels}, so previews with them are errors or lack them`,
      remedy: `Strapi: Settings → API Tokens → ${TOKEN} → ${[...missing].map(permissionLabelOf).join(', ')} → allow find`,
    },
  ];
}

async function tryType(
  examined: ExaminedType,
  ask: Ask,
  previewer: BackendClient,
  version: 4 | 5,
): Promise<Tried> {
  const { type, entries } = examined;
  // Relations to these types are the only sign of their permission.
  const relations = Object.entries(type.fields).flatMap(([field, description]) =>
    description.kind === 'relation' &&
    descriptionOf(description.target).path === null &&
    entries.some(({ attributes }) => Object.hasOwn(attributes, field))
      ? [{ field, target: description.target }]
      : [],
  );
  const call = callOf(
    type,
    joined(
      DRAFTS[version],
      ...relations.map(({ field }) => `populate[${field}]=true`),
      type.storage === 'single' ? '' : pageOf(1, 1),
    ),
  );
  const { body, error } = await ask.json(call, previewer);
  const bare = unwrap(body);
  const entry = entryOf(Array.isArray(bare) ? bare[0] : bare);
  const hidden = relations.filter(({ field }) => entry && !Object.hasOwn(entry.attributes, field));
  return { examined, error, hidden: hidden.map(({ target }) => target) };
}
