import { json } from 'node:stream/consumers';
import { siteTypes } from '../../site/types.ts';
import { createMediaPolicy } from '../addresses/safe-address.ts';
import { createHttpCall, type HttpRequest } from '../backend/http-call.ts';
import type { Config } from '../config/config.ts';
import { shownAddress } from '../config/server-addresses.ts';
import { BackendError } from '../errors.ts';
import { deliveryFailure, remedyFor } from '../outbox/delivery.ts';
import { accentOf } from '../wire/accent.ts';
import { dateOf, isObject, textOf } from '../wire/wire.ts';
import type { Ask } from './ask.ts';
import type { ExaminedType } from './examine-type.ts';
import { aboutType, type Finding, type FindingCode, type Found, finding } from './finding.ts';

const PLAIN = /^(?:http|redis(?:\+sentinel)?):\/\/(?!(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$))/;

export function checkConnections(config: Config, baseUrl: string): Finding[] {
  const { sharedStore, outboxQueue, publicOrigin, trustProxy } = config;
  const addresses: Readonly<Record<string, string | false | null>> = {
    CONTENT_BASE_URL: baseUrl,
    SHARED_URL: sharedStore && shownAddress(sharedStore),
    OUTBOX_URL: outboxQueue?.address.engine === 'redis' && shownAddress(outboxQueue.address.redis),
    // Accept plain HTTP behind a proxy, which usually has the certificate.
    PUBLIC_URL: trustProxy !== false && publicOrigin,
  };
  return Object.entries(addresses).flatMap(([variable, address]) => {
    if (!address || !PLAIN.test(address)) return [];
    return finding(variable === 'PUBLIC_URL' ? 'public-address-unencrypted' : 'connection-unencrypted', {
      what: `${variable}: ${address} is not encrypted, so who can read the network between reads and changes what is sent`,
      remedy:
        'set an address with https: or rediss:; it may stay where nobody else is in that network, such as inside of a cluster',
    });
  });
}

export function checkAccent(types: readonly ExaminedType[]): Found {
  const settings = types.find(({ type }) => type.path === siteTypes.settings.path);
  const colour = textOf(settings?.entries[0]?.attributes.accentColor)?.trim();
  const accent = colour ? accentOf(colour) : null;
  if (!settings || typeof accent !== 'string') return [];
  return aboutType('accent-unused', settings.type, {
    what: `the accent colour '${colour}' of the settings is not used: ${accent}`,
    remedy: `Strapi: Content Manager → ${settings.type.label} → Accent colour: choose a darker colour`,
  });
}

export function checkVariables({ unknownVariables }: Config): Finding[] {
  return unknownVariables.map(({ name, meant }) =>
    finding('variable-unknown', {
      what: `${name} is set, and the site has no variable of this name`,
      remedy: `set ${meant} if it is meant`,
    }),
  );
}

export function checkSharedStore({ sharedStore, sharedSecret }: Config): Finding[] {
  if (!sharedStore || sharedSecret) return [];
  return [
    finding('shared-store-unsealed', {
      what: 'SHARED_SECRET is not set: who can write to the store of SHARED_URL can put scripts into pages',
      remedy: 'set SHARED_SECRET to one secret of at least 32 characters in all replicas',
    }),
  ];
}

export async function checkMedia(
  types: readonly ExaminedType[],
  baseUrl: string,
  ask: Ask,
  config: Pick<Config, 'mediaOrigins' | 'contentPublicUrl'>,
): Promise<Finding[]> {
  const { mediaAddress } = createMediaPolicy({ ...config, contentBaseUrl: baseUrl });
  const urls = new Set(types.flatMap(({ bodies }) => mediaUrls(bodies)));
  const refusedOrigins = new Set(
    [...urls].flatMap(url => (mediaAddress(url) === null ? (URL.parse(url)?.origin ?? []) : [])),
  );
  const findings = [...refusedOrigins].map(origin =>
    finding('media-origin-refused', {
      what: `pictures come from ${origin}, which the site does not show`,
      remedy: `set CONTENT_PUBLIC_URL=${origin} if editors reach the CMS there, else add it to MEDIA_ORIGINS; restart the site`,
    }),
  );
  const upload = [...urls].map(mediaAddress).find(address => address?.startsWith('/uploads/'));
  if (!upload) return findings;
  const { status, headers, reason } = await ask.head(upload.split('#', 1)[0] ?? '');
  const isPage = headers['content-type']?.startsWith('text/html') === true;
  if (status === 200 && !isPage) return findings;
  const unreachable = finding('media-unreachable', {
    what: `the file ${upload} cannot be fetched from ${baseUrl} (${status === 200 ? 'an HTML page' : reason})`,
    remedy:
      'look at the folder public/uploads of Strapi and at proxies in front of it; for files on another server set MEDIA_ORIGINS',
  });
  return [...findings, unreachable];
}

/** @returns the addresses of files, which Strapi describes as objects with `url` and `mime`. */
function mediaUrls(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mediaUrls);
  if (!isObject(value)) return [];
  const { url, mime } = value;
  const own = typeof url === 'string' && typeof mime === 'string' ? [url] : [];
  return [...own, ...Object.values(value).flatMap(mediaUrls)];
}

const MESSAGE = JSON.stringify({ form: 'doctor' });

/** Posts a message of a form that does not exist. A refusal shows that the route works. */
export async function checkEmail(ask: Ask): Promise<Found> {
  try {
    await ask.run((client, signal) => client.postJson('/api/email/send', MESSAGE, signal));
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    const failure = deliveryFailure(error);
    if (failure === 'refused' && error.status !== 415) return [];
    const isSetUp = failure === 'set-up' || error.status === 415;
    return finding('forms-failing', {
      what: `the messages of visitors do not arrive: POST /api/email/send ${error.reason}`,
      remedy: isSetUp ? remedyFor(error.status) : 'look for POST /api/email/send in the log of the CMS',
    });
  }
  return finding('forms-unchecked', {
    what: 'POST /api/email/send accepts a message of a form that does not exist, so strangers may send anything',
    remedy: 'let the route check the forms, as that of the project in cms/ does',
  });
}

/** Whether the CMS's panel may show previews in its frame. The embedded backend has no panel. */
export function checkPreviewFrame({ preview, contentPublicUrl, contentBaseUrl }: Config): Found {
  const address = contentPublicUrl ?? contentBaseUrl;
  const panel = address && new URL(address).origin;
  if (!preview || panel === null || preview.frameOrigins.includes(panel)) return [];
  return finding('preview-frame-refused', {
    what: `the panel at ${panel} may not show the preview in its frame`,
    remedy: `add ${panel} to PREVIEW_FRAME_ORIGINS and restart the site`,
  });
}

function siteAddress({ publicOrigin, port }: Config): string {
  return publicOrigin ?? `http://localhost:${port}`;
}

export async function checkPreviewOfSite(config: Config): Promise<Found> {
  if (!config.preview) return [];
  const address = `${siteAddress(config)}/api/preview`;
  const secret = encodeURIComponent(config.preview.secret[0]);
  const { status, reason } = await askSite(config, `${address}?url=/&status=draft&secret=${secret}`);
  // If the site does not answer at all, `checkWebhook` reports it.
  const isToldElsewhere = status === null && config.webhookSecret !== null;
  if (status === 307 || isToldElsewhere) return [];
  return finding('preview-unopened', {
    what: `the site does not open a preview at ${address} (${reason})`,
    remedy:
      status === 401
        ? 'start site and CMS with the same PREVIEW_SECRET'
        : 'check that PUBLIC_URL is the address of this site; start the site with PREVIEW_SECRET and PREVIEW_TOKEN; let proxies pass /api/preview on',
  });
}

const EVENT = JSON.stringify({ event: 'trigger-test', by: 'doctor' });

export async function checkWebhook(config: Config): Promise<Found> {
  const { webhookSecret: secret, publicOrigin, contentTtlMs, contentSweepMs } = config;
  // The longest delay of a change without an event: until a sweep finds it or the content expires.
  const lateMs = contentSweepMs > 0 ? Math.min(contentSweepMs, contentTtlMs) : contentTtlMs;
  const address = `${siteAddress(config)}/webhooks/content`;
  const click = `Strapi: Settings → Webhooks: URL ${address}, header 'Authorization: Bearer WEBHOOK_SECRET', all events of Entry and Media; then press Trigger there. The CMS in cms/ sets its webhook at each start: start it with SITE_URL=${siteAddress(config)}`;
  const one = (code: FindingCode, what: string, remedy: string) =>
    finding(code, { what: `${what}, so edits are seen after up to ${Math.ceil(lateMs / 1_000)} s`, remedy });
  if (secret === null)
    return one(
      'webhook-absent',
      'there is no webhook',
      `set WEBHOOK_SECRET and restart the site; then ${click}`,
    );
  const { status, reason } = await askSite(config, address, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret[0]}`, 'Content-Type': 'application/json' },
    body: EVENT,
  });
  if (status !== 200) {
    const remedy = remedyForWebhook(status, publicOrigin !== null);
    return one('webhook-unreached', `an event does not reach the site at ${address} (${reason})`, remedy);
  }
  const silence = silenceIn((await askSite(config, opsAddress(config, '/readyz'))).body, contentSweepMs > 0);
  return silence ? one(silence.code, silence.what, click) : [];
}

/** Reads the links that the running site has found dead. A site on another machine needs OPS_TOKEN. */
export async function checkLinks(config: Config): Promise<readonly Finding[]> {
  const { opsToken } = config;
  const headers = opsToken === null ? {} : { Authorization: `Bearer ${opsToken}` };
  const { body } = await askSite(config, opsAddress(config, '/doctor'), { headers });
  const findings = isObject(body) && Array.isArray(body.findings) ? (body.findings as Finding[]) : [];
  return findings.filter(({ code }) => code === 'link-dead' || code === 'link-moved');
}

function opsAddress({ opsHost, opsPort }: Config, path: string): string {
  const isAny = opsHost === '0.0.0.0' || opsHost === '::';
  const host = isAny ? '127.0.0.1' : opsHost.includes(':') ? `[${opsHost}]` : opsHost;
  return `http://${host}:${opsPort}${path}`;
}

function remedyForWebhook(status: number | null, hasPublicUrl: boolean): string {
  if (status === 401 || status === 429)
    return 'run the doctor with the WEBHOOK_SECRET of the running site, and restart the site after a change of it';
  if (status === 404) return 'start the site with WEBHOOK_SECRET; let proxies pass /webhooks/content on';
  return hasPublicUrl
    ? 'check that PUBLIC_URL is the address of this site, and that proxies pass /webhooks/content on'
    : 'start the site, or set PUBLIC_URL to its address';
}

function silenceIn(body: unknown, isSwept: boolean): { code: FindingCode; what: string } | null {
  if (!isObject(body) || !isObject(body.webhook)) return null;
  const { lastEventAt, lastEventHost, lastMissed } = body.webhook;
  const last = dateOf(lastEventAt);
  if (isObject(lastMissed)) {
    const before =
      last === null ? 'since the site started' : `since ${last}, by the name ${String(lastEventHost)}`;
    const what = `the site found a change of '${textOf(lastMissed.type)}' by itself at ${dateOf(lastMissed.at)}, and no event has come ${before}`;
    return { code: 'webhook-missed-change', what };
  }
  // Stay silent if an event has arrived, or if the sweep would have found a change.
  if (last !== null || isSwept) return null;
  const what = `no event has come since the site started at ${dateOf(body.startedAt)}, perhaps because nothing was edited`;
  return { code: 'webhook-silent', what };
}

/** Asks the site and never rejects. Without a connection, the status is null and `reason` has the code. */
async function askSite(
  { contentTimeoutMs }: Config,
  address: string,
  request: Omit<HttpRequest, 'signal'> = { headers: {} },
): Promise<{ status: number | null; reason: string; body: unknown }> {
  try {
    const signal = AbortSignal.timeout(contentTimeoutMs);
    const { status, body } = await createHttpCall(1)(address, { ...request, signal });
    return { status, reason: String(status), body: await json(body).catch(() => null) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { status: null, reason: code, body: null };
  }
}
