import type { Plot } from './figures.ts';
import { bad, bytes, counts, duration, facts, html, number, table } from './html.ts';
import type { Section } from './view.ts';

const REQUESTS = 'http_server_request_duration_seconds';
const S = 1_000;
const ROWS = 10;

export const visitors: Section = {
  id: 'visitors',
  title: 'What visitors get now',
  show({ figures }) {
    // Leave out responses of the ops port, because no visitor gets them.
    const answers = (status: RegExp) => figures.grown(`${REQUESTS}_count`, status);
    return html`${facts({
      'Requests a second': number(figures.grown(`${REQUESTS}_count`) / figures.seconds),
      Pages: counts(figures.grownBy('site_page_answers_total', 'outcome')),
      'Answers 404': number(answers(/^(?!.*http_route="ops").*status_code="404"/)),
      'Answers 429': number(answers(/^(?!.*http_route="ops").*status_code="429"/)),
      'Answers 500': bad(answers(/^(?!.*http_route="ops").*status_code="500"/)),
      'Answers 503': bad(answers(/^(?!.*http_route="ops").*status_code="503"/)),
      'Causes of 503': counts(figures.grownBy('site_unavailable_total', 'cause')),
      'Half of the answers within': duration(figures.quantile(REQUESTS, 0.5) * S),
      '99 % within': duration(figures.quantile(REQUESTS, 0.99) * S),
      'Oldest content shown': duration(figures.sum('site_oldest_content_seconds') * S),
    })}<p class="muted">Counts are of the last ${duration(figures.seconds * S)}.</p>`;
  },
};

export const limits: Section = {
  id: 'limits',
  title: 'Limits',
  show({ figures }) {
    const sums = (...names: string[]) => names.map(name => number(figures.sum(name))).join(', ');
    const ofSite = (name: string) => number(figures.sum(name, /port="site"/));
    const late = ['p50', 'p99', 'max'].map(part => figures.sum(`nodejs_eventloop_delay_${part}_seconds`) * S);
    return facts({
      '429 by limit': counts(figures.grownBy('site_rate_limited_total', 'limit')),
      'Requests in flight': sums('http_server_active_requests'),
      Connections: `${ofSite('site_connections')} of ${ofSite('site_connections_max')}`,
      'Connections refused': bad(figures.grown('site_connections_refused_total')),
      'Renders in flight, waiting': sums('site_page_renders_in_flight', 'site_pages_waiting'),
      'Pictures in flight, waiting': sums('site_renditions_in_flight', 'site_renditions_waiting'),
      'Searches waiting': sums('site_search_waiting'),
      'Event loop late: half, 99 %, most': late.map(duration).join(', '),
      Memory: bytes(figures.sum('process_resident_memory_bytes')),
    });
  },
};

export const realVisitors: Section = {
  id: 'real-visitors',
  title: 'What browsers report',
  isWide: true,
  show({ parts: { vitals }, figures, isSignedIn }) {
    if (vitals === null) return null;
    const within = (name: string) => figures.quantile(`site_web_vitals_${name}`, 0.75);
    const { pages, referrers } = vitals.views;
    const rows = (views: typeof pages) => views.slice(0, ROWS).map(([name, count]) => [name, number(count)]);
    return html`${facts({
      'Largest paint (LCP)': duration(within('lcp_seconds') * S),
      'Reaction to a press (INP)': duration(within('inp_seconds') * S),
      'First byte (TTFB)': duration(within('ttfb_seconds') * S),
      'Layout shift (CLS)': Number.isFinite(within('cls')) ? within('cls') : '–',
    })}<p class="muted">Three quarters of the visits of the last ${duration(figures.seconds * S)} have at most these values. Views are since the start.</p>
${table('Views by page', ['page', 'views'], rows(pages))}
${isSignedIn && table('Views by referrer', ['host that linked here', 'views'], rows(referrers))}`;
  },
};

export const PLOTS: readonly Plot[] = [
  { title: 'Requests a second', of: figures => figures.rate(`${REQUESTS}_count`), written: number },
  {
    title: 'Answers 5xx a second',
    of: figures => figures.rate(`${REQUESTS}_count`, /^(?!.*http_route="ops").*status_code="5/),
    written: number,
  },
  { title: '99 % within', of: figures => figures.quantile(REQUESTS, 0.99) * S, written: duration },
  {
    title: 'Failed calls of the CMS a second',
    of: figures => figures.rate('site_backend_calls_total', /outcome="(?!ok|aborted)/),
    written: number,
  },
  { title: 'Messages waiting', of: figures => figures.sum('site_outbox_waiting'), written: number },
  {
    title: 'Event loop late, 99 %',
    of: figures => figures.sum('nodejs_eventloop_delay_p99_seconds') * S,
    written: duration,
  },
  { title: 'Memory', of: figures => figures.sum('process_resident_memory_bytes'), written: bytes },
  { title: 'Free space', of: figures => figures.sum('site_disk_free_bytes'), written: bytes },
];

const WIDTH = 240;
const HEIGHT = 50;

export const plots: Section = {
  id: 'plots',
  title: 'The last hour',
  isWide: true,
  show: ({ figures }) =>
    html`<div class="plots">${figures.plots().map(([{ title, written }, values]) => {
      const most = Math.max(0, ...values.filter(Number.isFinite));
      return html`<figure><figcaption><span>${title}</span><span class="muted">at most ${written(most)}</span></figcaption>
<svg viewBox="0 -2 ${WIDTH} ${HEIGHT + 4}" preserveAspectRatio="none" role="img" aria-label="${title}, at most ${written(most)}"><path d="${line(values, most)}"/></svg></figure>`;
    })}</div>`,
};

function line(values: readonly number[], most: number): string {
  const isValue = (value: number | undefined) => value !== undefined && Number.isFinite(value);
  const y = (value: number) => (HEIGHT - (value / (most || 1)) * HEIGHT).toFixed(1);
  return values
    .map((value, at) =>
      isValue(value) ? `${isValue(values[at - 1]) ? 'L' : 'M'}${WIDTH - values.length + at} ${y(value)}` : '',
    )
    .join('');
}
