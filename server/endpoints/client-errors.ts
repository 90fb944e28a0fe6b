import express, { Router } from 'express';
import * as z from 'zod';
import { boundedBody } from '../http/bounded-body.ts';
import { limitPerAddress } from '../http/rate-limit.ts';
import { scopeOf } from '../http/request-scope.ts';
import { oneLine } from '../ops/one-line.ts';
import { createSharedLimit } from '../shared-state/shared-limit.ts';
import type { Site } from '../site.ts';

/** A report larger than this is refused with 413. */
const BODY_LIMIT = 4 * 1024;
/** The limit of reports from one IP address in a minute. */
const REPORTS_PER_MINUTE = 20;

/** A text of a report, on one line so that the log stays readable. A longer text makes the report invalid. */
const line = (max: number) => z.string().max(max).transform(oneLine);

const reportSchema = z.object({
  where: z.enum(['render', 'uncaught', 'hydration']),
  name: line(100),
  message: line(1_000),
  stack: line(1_000).default(''),
  path: line(500).default(''),
});

/** `POST /client-errors` writes errors that a page has caught in the browser to the server's log. The answer has no body. */
export function clientErrors({ shared }: Pick<Site, 'shared'>): Router {
  const router = Router();
  const limit = limitPerAddress(60_000, REPORTS_PER_MINUTE, {
    ...(shared && { store: createSharedLimit(shared, 'client-errors') }),
  });
  const body = boundedBody(BODY_LIMIT, express.json({ limit: BODY_LIMIT, inflate: false }));
  router.post('/client-errors', limit, body, (req, res) => {
    const report = reportSchema.safeParse(req.body);
    if (report.success) scopeOf(res).log.warn({ clientError: report.data }, 'client error');
    res
      .set('Cache-Control', 'no-store')
      .status(report.success ? 204 : 400)
      .end();
  });
  return router;
}
