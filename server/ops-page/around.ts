import { ago, bad, counts, facts, html, number, table } from './html.ts';
import type { Section, View } from './view.ts';

export const front: Section = {
  id: 'front',
  title: 'In front of the site',
  show({ parts, figures, isSignedIn }) {
    const { config, cdnPurger, lastRequest, log } = parts;
    const { report } = lastRequest;
    const hosts = new Set(log.recentWarnings.entries.flatMap(({ host }) => host ?? []));
    const refused = figures.grown('http_server_request_duration_seconds_count', /status_code="421"/);
    const failures = Array.from(cdnPurger?.failures() ?? [], ([name, { reason }]) => `${name}: ${reason}`);
    return facts({
      'Last request, but for cache hits': ago(report?.at),
      'Its headers of proxies': report?.headers.join(', ') || 'none',
      'Addresses in X-Forwarded-For': `${report?.addresses ?? 0}, and TRUST_PROXY is ${config.trustProxy || 'off'}`,
      'Protocol that it reported': report?.protocol ?? 'none',
      PUBLIC_URL: protocol(parts),
      'Hosts refused lately': bad(refused),
      'Last hosts': isSignedIn ? [...hosts].join(', ') || 'none' : undefined,
      'Purges waiting': cdnPurger ? counts(cdnPurger.waiting()) : 'CDN_PURGE is not set',
      'Purges failing': cdnPurger
        ? (isSignedIn && failures.join('; ')) || number(failures.length)
        : undefined,
    });
  },
};

function protocol({ config: { publicOrigin, trustProxy }, lastRequest: { report } }: View['parts']): string {
  if (publicOrigin === null) return 'is not set';
  const [own] = publicOrigin.split(':', 1);
  if (report === null || trustProxy === false) return `${own}`;
  return `${own}, which ${report.isSecure === (own === 'https') ? 'fits' : 'does not fit'}`;
}

/** A secret. `metric` counts its uses; without it, `site_secret_uses_total` with the secret's name does. */
type Row = readonly [
  name: string,
  value: string | readonly (string | undefined)[] | null,
  metric?: string,
  used?: RegExp,
  refused?: RegExp,
];

export const secrets: Section = {
  id: 'secrets',
  title: 'Secrets',
  show({ parts: { config }, figures }) {
    const [header = null] = Object.keys(config.contentHeaders);
    // biome-ignore format: a table has one row a line.
    const rows: readonly Row[] = [
      ['CONTENT_TOKEN', config.contentToken, 'site_backend_calls_total', /"ok"/, /"40[13]"/],
      ['CONTENT_HEADERS', header, 'site_backend_calls_total', /"ok"/, /"40[13]"/],
      ['WEBHOOK_SECRET', config.webhookSecret, 'site_webhook_events_total', /accepted|model|nothing/, /wrong|guesses/],
      ['PROBLEMS_TOKEN', config.problemsToken, 'http_server_request_duration_seconds_count', /"report",\w+="GET",\w+="200"/, /"report",\w+="GET",\w+="4(?:01|29)"/],
      ['PREVIEW_SECRET', config.preview?.secret ?? null, 'site_previews_total', /opened/, /refused/],
      ['PREVIEW_TOKEN', config.preview?.token ?? null],
      ['SUBSCRIBE_SECRET', config.subscribeSecret],
      ['FORM_WEBHOOK_SECRET', config.formWebhook?.secret ?? null],
      ['SHARED_SECRET', config.sharedSecret, 'site_shared_calls_total', /answered/, /forged/],
      ['Password in SHARED_URL', config.sharedStore?.password ?? null, 'site_shared_calls_total', /answered/, /refused/],
      ['OUTBOX_URL', config.outboxQueue?.name ?? null, 'site_queue_calls_total', /answered/, /refused/],
      ['CDN_TOKEN', config.cdnToken, 'site_cdn_purges_total', /purged/, /failed/],
      ['OPS_TOKEN', config.opsToken],
    ];
    const shown = ([name, value, metric = 'site_secret_uses_total', used, refused]: Row) => {
      if (value === null) return [name, 'no', '', ''];
      const last = (labels: RegExp | undefined, outcome: string) => {
        const own = { test: (series: string) => series.includes(`"${name}",outcome="${outcome}"`) };
        const count = figures.sum(metric, labels ?? own);
        return html`${ago(figures.grownAt(metric, labels ?? own))}${count > 0 && `, ${number(count)} in all`}`;
      };
      return [name, 'yes', last(used, 'used'), last(refused, 'refused')];
    };
    return table(
      'Secrets',
      ['variable', 'set', 'last use', 'last refusal'],
      rows.flatMap(row => {
        const [name, value] = row;
        const isRotated = typeof value === 'object' && value !== null;
        return isRotated ? [shown(row), shown([`${name}_OLD`, value[1] ?? null])] : [shown(row)];
      }),
    );
  },
};

export const warnings: Section = {
  id: 'warnings',
  title: 'The last 50 warnings',
  isWide: true,
  show({ parts: { log } }) {
    const groups = Map.groupBy(log.recentWarnings.entries, ({ code, message }) => `${code} ${message}`);
    const rows = [...groups.values()]
      .map(group => ({ times: group.length, ...group.at(-1) }))
      .sort((a, b) => (b.at ?? 0) - (a.at ?? 0))
      .map(({ code, times, at, message, remedy }) => [code, number(times), ago(at), message, remedy]);
    if (rows.length === 0) return html`<p>None since the start.</p>`;
    return table('Warnings', ['code', 'times', 'last', 'meaning', 'remedy'], rows);
  },
};
