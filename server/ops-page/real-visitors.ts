import { duration, facts, html, number, table } from './html.ts';
import type { Section } from './view.ts';

const S = 1_000;
/** The most pages and referrers that are shown. */
const ROWS = 10;

/** The figures that browsers report. RUM=off leaves the section out. */
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
