import express, { Router } from 'express';
import * as z from 'zod';
import { boundedBody } from '../http/bounded-body.ts';
import { REPORT_PATH } from '../http/content-security-policy.ts';
import { limitPerAddress } from '../http/rate-limit.ts';
import { scopeOf } from '../http/request-scope.ts';
import { oneLine } from '../ops/one-line.ts';
import { createSharedLimit } from '../shared-state/shared-limit.ts';
import type { Site } from '../site.ts';

/** A body larger than this is refused with 413. */
const BODY_LIMIT = 16 * 1024;
const TYPES = ['application/csp-report', 'application/reports+json'];
/** The limit of bodies from one IP address in a minute. */
const BODIES_PER_MINUTE = 30;
/** Reports of one body that are logged. The Reporting API sends reports in batches. */
const MAX_REPORTS = 10;
const MAX_TEXT = 300;

/** A text of a report. It comes from outside, so it is cut off and put on one line. */
const words = z
  .string()
  .transform(text => oneLine(text.slice(0, MAX_TEXT)))
  .catch('');
/** An address without its query, which may contain personal data. */
const address = words.transform(text => text.split(/[?#]/, 1)[0] ?? '');

/** A report by `report-uri` (CSP Level 2). */
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

/** A report by `report-to` (CSP Level 3, Reporting API). */
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
  z.array(z.unknown()).transform(decodeList),
]);

/** Decodes the reports of a list, without those of another type. */
function decodeList(list: readonly unknown[]) {
  return list.slice(0, MAX_REPORTS).flatMap(item => apiReport.safeParse(item).data ?? []);
}

/** `POST /csp-reports` writes violations of the security policy, which browsers report, to the server's log. */
export function cspReports({ shared }: Pick<Site, 'shared'>): Router {
  const router = Router();
  router.post(
    REPORT_PATH,
    limitPerAddress(60_000, BODIES_PER_MINUTE, {
      ...(shared && { store: createSharedLimit(shared, 'csp-reports') }),
    }),
    boundedBody(BODY_LIMIT, express.json({ limit: BODY_LIMIT, inflate: false, type: TYPES })),
    (req, res) => {
      const decoded = reports.safeParse(req.body);
      for (const report of decoded.data ?? []) scopeOf(res).log.warn({ report }, 'csp report');
      res
        .set('Cache-Control', 'no-store')
        .status(decoded.success ? 204 : 400)
        .end();
    },
  );
  return router;
}
