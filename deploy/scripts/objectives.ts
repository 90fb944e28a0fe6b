import type { Alert } from './alerts.ts';

/** What the site promises, as the share of good events among all. */
interface Objective {
  readonly name: string;
  readonly what: string;
  readonly budget: number;
  /** Expressions of the rate of bad and of all events in a window. */
  readonly bad: (window: string) => string;
  readonly all: (window: string) => string;
  readonly severity: Alert['severity'];
  readonly look: string;
  readonly page: string;
}

const rate = (counter: string, window: string) => `sum(rate(${counter}[${window}]))`;
const failedPages = (window: string) =>
  `(${rate('site_unavailable_total{cause=~"busy|late|other"}', window)} + ${rate('http_server_request_duration_seconds_count{http_response_status_code="500"}', window)})`;
const repairs = (window: string) => rate('site_sweep_repairs_total', window);

const OBJECTIVES: readonly Objective[] = [
  {
    name: 'CachedPages',
    what: 'cached pages are answered',
    budget: 0.001,
    bad: failedPages,
    all: window =>
      `(${rate('site_page_answers_total{outcome=~"hit|stale"}', window)} + ${failedPages(window)})`,
    severity: 'page',
    look: 'answers that were 500, late or without a place, to those from memory',
    page: 'visitors-get-503',
  },
  {
    name: 'Publishing',
    what: 'a publish is seen within 5 s',
    budget: 0.05,
    bad: repairs,
    all: window => `(${rate('site_webhook_events_total{outcome="accepted"}', window)} + ${repairs(window)})`,
    severity: 'ticket',
    look: 'changes that the sweep has found, up to 15 s late, to those of which an event has told',
    page: 'purge-by-hand',
  },
];

/** Burn rates of an objective: how fast the budget of 30 days is used up, over a long and a short window. */
const BURN_RATES = [
  {
    factor: 14.4,
    long: '1h',
    short: '5m',
    hold: '2m',
    urgent: true,
    usedUp: '2 % of the budget of 30 days in an hour',
  },
  {
    factor: 6,
    long: '6h',
    short: '30m',
    hold: '15m',
    urgent: true,
    usedUp: '5 % of that budget in six hours',
  },
  {
    factor: 1,
    long: '3d',
    short: '6h',
    hold: '1h',
    urgent: false,
    usedUp: '10 % of that budget in three days',
  },
] as const;

function burning({ bad, all }: Objective, window: string, bound: number): string {
  return `${bad(window)} / ${all(window)} > ${bound}`;
}

/** “Multi-window, multi-burn-rate alerts” of the SRE literature. */
export const burnRates: readonly Alert[] = OBJECTIVES.flatMap(objective =>
  BURN_RATES.map(({ factor, long, short, hold, urgent, usedUp }): Alert => {
    // Require both windows: the long one shows that the fault matters, the short one that it goes on.
    const bound = Number((factor * objective.budget).toPrecision(3));
    return {
      name: `${objective.name}Burn${long.toUpperCase()}`,
      severity: urgent ? objective.severity : 'ticket',
      expression: `${burning(objective, long, bound)} and ${burning(objective, short, bound)}`,
      for: hold,
      when: `“${objective.what}” fails for more than ${Number((bound * 100).toPrecision(3))} % over ${long} and over ${short}: ${usedUp}`,
      look: objective.look,
      page: objective.page,
    };
  }),
);
