import express, { type RequestHandler } from 'express';
import * as z from 'zod';
import { boundedBody } from '../http/limits/bounded-body.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import { oneLine } from '../ops/one-line.ts';
import { limitPerAddress } from '../shared-store/rate-limit.ts';
import type { SharedStore } from '../shared-store/shared-store.ts';

const ERROR_BODY_LIMIT = 4 * 1024;
const ERRORS_PER_MINUTE = 20;

/** Puts a text on one line, so that the log stays readable. A text above `max` makes the report invalid. */
const line = (max: number) => z.string().max(max).transform(oneLine);

const errorSchema = z.object({
  where: z.enum(['render', 'uncaught', 'hydration']),
  name: line(100),
  message: line(1_000),
  stack: line(1_000).default(''),
  path: line(500).default(''),
});

interface ReportParts {
  readonly shared: SharedStore | null;
  readonly metrics: Pick<Metrics, 'count' | 'add'>;
}

/** `POST /client-errors` logs errors that a page has caught in the browser. */
export function clientErrors({ shared, metrics }: ReportParts): RequestHandler[] {
  const limit = limitPerAddress('client-errors', 60_000, ERRORS_PER_MINUTE, shared);
  const body = boundedBody(ERROR_BODY_LIMIT, express.json({ limit: ERROR_BODY_LIMIT, inflate: false }));
  const accept: RequestHandler = (req, res) => {
    const report = errorSchema.safeParse(req.body);
    if (report.success) {
      metrics.count('site_client_errors_total', report.data.where);
      scopeOf(res).log.warn({ code: 'browser-error', clientError: report.data }, 'browser: a page failed');
    }
    res
      .set('Cache-Control', 'no-store')
      .status(report.success ? 204 : 400)
      .end();
  };
  return [limit, body, accept];
}

const CSP_BODY_LIMIT = 16 * 1024;
const CSP_TYPES = ['application/csp-report', 'application/reports+json'];
const CSP_BODIES_PER_MINUTE = 30;
/** The Reporting API sends reports in batches. */
const MAX_REPORTS = 10;
const MAX_TEXT = 300;

const words = z
  .string()
  .transform(text => oneLine(text.slice(0, MAX_TEXT)))
  .catch('');
/** Removes the query of an address, because queries may contain personal data. */
const address = words.transform(text => text.split(/[?#]/, 1)[0] ?? '');

const uriReport = z
  .object({
    'csp-report': z.object({
      'document-uri': address,
      'effective-directive': words,
      'violated-directive': words,
      'blocked-uri': address,
      'source-file': address,
    }),
  })
  .transform(({ 'csp-report': report }) => ({
    page: report['document-uri'],
    directive: report['effective-directive'] || report['violated-directive'],
    blocked: report['blocked-uri'],
    source: report['source-file'],
  }));

/** The format of reports to `report-to` (CSP Level 3, Reporting API). */
const apiReport = z
  .object({
    type: z.literal('csp-violation'),
    body: z.object({
      documentURL: address,
      effectiveDirective: words,
      blockedURL: address,
      sourceFile: address,
    }),
  })
  .transform(({ body }) => ({
    page: body.documentURL,
    directive: body.effectiveDirective,
    blocked: body.blockedURL,
    source: body.sourceFile,
  }));

const reports = z.union([
  uriReport.transform(report => [report]),
  z
    .array(z.unknown())
    .transform(list => list.slice(0, MAX_REPORTS).flatMap(item => apiReport.safeParse(item).data ?? [])),
]);

/** `POST /csp-reports` logs violations of the security policy that browsers report. */
export function cspReports({ shared, metrics }: ReportParts): RequestHandler[] {
  return [
    limitPerAddress('csp-reports', 60_000, CSP_BODIES_PER_MINUTE, shared),
    boundedBody(CSP_BODY_LIMIT, express.json({ limit: CSP_BODY_LIMIT, inflate: false, type: CSP_TYPES })),
    (req, res) => {
      const decoded = reports.safeParse(req.body);
      metrics.add('site_csp_reports_total', decoded.data?.length ?? 0);
      for (const report of decoded.data ?? [])
        scopeOf(res).log.warn({ code: 'browser-csp-report', report }, 'browser: a page broke its CSP');
      res
        .set('Cache-Control', 'no-store')
        .status(decoded.success ? 204 : 400)
        .end();
    },
  ];
}
