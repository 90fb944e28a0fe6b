import type { IncomingHttpHeaders } from 'node:http';
import express, { type RequestHandler } from 'express';
import * as z from 'zod';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';
import { boundedBody } from '../http/limits/bounded-body.ts';
import { deviceClassOf, isCrawler } from '../http/request/device-from-request.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { OTHER } from '../ops/metrics/metric-table.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { AskedPage } from '../page/find-page.ts';
import type { PageCache } from '../page-cache/page-cache.ts';
import { limitPerAddress } from '../shared-store/rate-limit.ts';
import type { SharedStore } from '../shared-store/shared-store.ts';

/** A page sends a report each time that it is hidden. Many visitors may share an IP address. */
const REPORTS_PER_MINUTE = 120;
const BODY_LIMIT = 8 * 1024;
/** Limits for the counted pages and referring hosts. Those reported longest ago are dropped. */
const MAX_PAGES = 500;
const MAX_REFERRERS = 200;
/** A figure above this many ms comes from a faulty clock. */
const LONGEST_MS = 600_000;

const METRIC_OF = {
  LCP: 'site_web_vitals_lcp_seconds',
  INP: 'site_web_vitals_inp_seconds',
  TTFB: 'site_web_vitals_ttfb_seconds',
  CLS: 'site_web_vitals_cls',
} as const;

const path = z.string().startsWith('/').max(500);
const reportSchema = z.object({
  from: z
    .string()
    .regex(/^[a-z\d.-]{0,100}$/i)
    .catch(''),
  views: z.array(path).max(20),
  figures: z
    .array(
      z.object({
        path,
        name: z.enum(['LCP', 'INP', 'TTFB', 'CLS']),
        value: z.number().min(0).max(LONGEST_MS),
      }),
    )
    .max(20),
});

type Counts = ReturnType<typeof boundedMap<number>>;

interface VitalsParts {
  readonly routes: readonly RouteDefinition[];
  readonly pages: Pick<PageCache, 'peek'>;
  readonly shared: SharedStore | null;
  readonly metrics: Pick<Metrics, 'count' | 'note'>;
}

/** Counts views and web vitals. A report becomes numbers at once, and nothing of the visitor is stored. */
export class Vitals {
  readonly #parts: VitalsParts;
  readonly #pages: Counts = boundedMap(MAX_PAGES);
  readonly #referrers: Counts = boundedMap(MAX_REFERRERS);

  constructor(parts: VitalsParts) {
    this.#parts = parts;
  }

  /** The views since the start of the process, by path and by the host of the referrer. */
  get views() {
    return { pages: sorted(this.#pages), referrers: sorted(this.#referrers) };
  }

  /** `POST /vitals`. Other sites cannot send JSON here, because CORS does not allow them to. */
  handlers(): RequestHandler[] {
    return [
      limitPerAddress('vitals', 60_000, REPORTS_PER_MINUTE, this.#parts.shared),
      boundedBody(BODY_LIMIT, express.json({ limit: BODY_LIMIT, inflate: false })),
      (req, res) => {
        const report = reportSchema.safeParse(req.body);
        if (report.success && !isCrawler(req.headers))
          this.#note(report.data, req.headers, scopeOf(res).origin);
        res
          .set('Cache-Control', 'no-store')
          .status(report.success ? 204 : 400)
          .end();
      },
    ];
  }

  #note(
    { from, views, figures }: z.infer<typeof reportSchema>,
    headers: IncomingHttpHeaders,
    origin: SiteOrigin,
  ) {
    const { routes, metrics } = this.#parts;
    const device = deviceClassOf(headers);
    const routeOf = (path: string) => matchRoute(routes, path)?.route;
    for (const path of views) {
      const isPage = this.#isPage(path, routeOf(path), headers, origin);
      metrics.count('site_page_views_total', (isPage && routeOf(path)?.id) || OTHER, device);
      add(this.#pages, isPage ? path : OTHER);
    }
    if (from !== '') add(this.#referrers, from.toLowerCase());
    for (const { path, name, value } of figures) {
      // A layout shift has no unit. `note` divides by 1000, and the buckets for seconds suit its values.
      const ms = name === 'CLS' ? value * 1_000 : value;
      metrics.note(METRIC_OF[name], ms, routeOf(path)?.id ?? OTHER, device);
    }
  }

  /** Whether to count an address. As anybody may report any, one with a parameter needs a cached page. */
  #isPage(
    path: string,
    route: RouteDefinition | undefined,
    headers: IncomingHttpHeaders,
    origin: SiteOrigin,
  ) {
    const { routes, pages } = this.#parts;
    if (route === undefined) return false;
    return [path, path + PAYLOAD_SUFFIX].some(url => {
      const { key } = new AskedPage(routes, { url, headers }, origin).lookup;
      return !route.path.includes(':') || pages.peek(key)?.value.status === 200;
    });
  }
}

function add(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: Counts) {
  return [...counts.entries()].sort(([, one], [, other]) => other - one);
}
