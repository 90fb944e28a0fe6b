import type { Config } from '../config.ts';
import { dateOf, isObject, textOf } from '../content/decode/wire.ts';
import { askSite, type SiteAnswer, siteAddress } from './ask-site.ts';
import { EVERY_PAGE, type Finding } from './finding.ts';

const EVENT = JSON.stringify({ event: 'trigger-test', by: 'doctor' });

type WebhookConfig = Pick<
  Config,
  | 'webhookSecret'
  | 'publicOrigin'
  | 'port'
  | 'opsHost'
  | 'opsPort'
  | 'contentTimeoutMs'
  | 'contentTtlMs'
  | 'contentSweepMs'
>;

/** Looks whether the site takes an event at its public address, and whether the events of the CMS have come. */
export async function checkWebhook(config: WebhookConfig): Promise<Finding[]> {
  const { webhookSecret: secret, publicOrigin, contentTtlMs, contentSweepMs } = config;
  const common = { severity: 'warning', about: 'webhook', pages: EVERY_PAGE, isLogged: false } as const;
  // The sweep finds changes of which no event tells.
  const lateMs = contentSweepMs > 0 ? Math.min(contentSweepMs, contentTtlMs) : contentTtlMs;
  const late = `edits are seen after up to ${Math.ceil(lateMs / 1_000)} s`;
  const address = `${siteAddress(config)}/webhooks/content`;
  const click = `Strapi: Settings → Webhooks: URL ${address}, header 'Authorization: Bearer WEBHOOK_SECRET', all events of Entry and Media; then press Trigger there. The CMS in cms/ sets its webhook at each start: start it with SITE_URL=${siteAddress(config)}`;
  if (secret === null)
    return [
      {
        ...common,
        what: `there is no webhook, so ${late}`,
        remedy: `set WEBHOOK_SECRET and restart the site; then ${click}`,
      },
    ];
  const { status, reason } = await askSite(config, address, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret[0]}`, 'Content-Type': 'application/json' },
    body: EVENT,
  });
  if (status !== 200)
    return [
      {
        ...common,
        what: `an event does not reach the site at ${address} (${reason}), so ${late}`,
        remedy: remedyFor(status, publicOrigin !== null),
      },
    ];
  const what = await silence(await askSite(config, opsAddress(config)), contentSweepMs > 0);
  return what === null ? [] : [{ ...common, what: `${what}, so ${late}`, remedy: click }];
}

function opsAddress({ opsHost, opsPort }: WebhookConfig): string {
  const isAny = opsHost === '0.0.0.0' || opsHost === '::';
  const host = isAny ? '127.0.0.1' : opsHost.includes(':') ? `[${opsHost}]` : opsHost;
  return `http://${host}:${opsPort}/readyz`;
}

function remedyFor(status: number | null, hasPublicUrl: boolean): string {
  if (status === 401 || status === 429)
    return 'run the doctor with the WEBHOOK_SECRET of the running site, and restart the site after a change of it';
  if (status === 404) return 'start the site with WEBHOOK_SECRET; let proxies pass /webhooks/content on';
  return hasPublicUrl
    ? 'check that PUBLIC_URL is the address of this site, and that proxies pass /webhooks/content on'
    : 'start the site, or set PUBLIC_URL to its address';
}

/** @returns the sign that the CMS sends no events, in words; null where it sends them, or where the running site cannot be asked. */
function silence({ body }: SiteAnswer, isSwept: boolean): string | null {
  if (!isObject(body) || !isObject(body.webhook)) return null;
  const { lastEventAt, lastEventHost, lastMissed } = body.webhook;
  const last = dateOf(lastEventAt);
  if (isObject(lastMissed)) {
    const before =
      last === null ? 'since the site started' : `since ${last}, by the name ${String(lastEventHost)}`;
    return `the site found a change of '${textOf(lastMissed.type)}' by itself at ${dateOf(lastMissed.at)}, and no event has come ${before}`;
  }
  // Where the sweep has found no change, nothing was edited.
  return last !== null || isSwept
    ? null
    : `no event has come since the site started at ${dateOf(body.startedAt)}, perhaps because nothing was edited`;
}
