import type { Labels } from './figures.ts';
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

/** Compares the protocol of PUBLIC_URL with that of the last request. */
function protocol({ config: { publicOrigin, trustProxy }, lastRequest: { report } }: View['parts']): string {
  if (publicOrigin === null) return 'is not set';
  const [own] = publicOrigin.split(':', 1);
  if (report === null || trustProxy === false) return `${own}`;
  return `${own}, which ${report.isSecure === (own === 'https') ? 'fits' : 'does not fit'}`;
}

export const secrets: Section = {
  id: 'secrets',
  title: 'Secrets',
  show({ parts: { config }, figures }) {
    const calls = (outcomes: RegExp) => figures.grownAt('site_backend_calls_total', outcomes);
    const events = (outcomes: RegExp) => figures.grownAt('site_webhook_events_total', outcomes);
    const previews = (outcome: RegExp) => figures.grownAt('site_previews_total', outcome);
    const shared = (outcome: RegExp) => figures.grownAt('site_shared_calls_total', outcome);
    const purges = (outcome: RegExp) => figures.grownAt('site_cdn_purges_total', outcome);
    const presses = figures.grownAt('site_forms_total', /form="subscribe-(?:confirm|leave)",outcome="sent"/);
    const uses = (labels: Labels) => figures.grownAt('site_secret_uses_total', labels);
    const rows = [
      ['CONTENT_TOKEN', config.contentToken, calls(/"ok"/), calls(/"40[13]"/)],
      ['WEBHOOK_SECRET', config.webhookSecret, events(/accepted|model|nothing/), events(/wrong|guesses/)],
      ['PREVIEW_SECRET', config.preview?.secret ?? null, previews(/opened/), previews(/refused/)],
      ['SUBSCRIBE_SECRET', config.subscribeSecret, presses, 0],
      ['SHARED_SECRET', config.sharedSecret, shared(/answered/), shared(/forged/)],
      ['CDN_TOKEN', config.cdnToken, purges(/purged/), purges(/failed/)],
      ['OPS_TOKEN', config.opsToken, uses(/OPS_TOKEN",outcome="used/), uses(/OPS_TOKEN",outcome="refused/)],
    ] as const;
    const former = (name: string) => {
      const labels = { test: (series: string) => series.includes(`"${name}"`) };
      const count = figures.sum('site_secret_uses_total', labels);
      return [name, 'yes', html`${ago(uses(labels))}${count > 0 && `, ${number(count)} in all`}`, ''];
    };
    return table(
      'Secrets',
      ['variable', 'set', 'last use', 'last refusal'],
      rows.flatMap(([name, value, used, refused]) => {
        if (value === null) return [[name, 'no', '', '']];
        const own = [name, 'yes', ago(used), ago(refused)];
        if (typeof value === 'string') return [own];
        return [own, value.length > 1 ? former(`${name}_OLD`) : [`${name}_OLD`, 'no', '', '']];
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
