import express, { Router } from 'express';
import rateLimit from 'express-rate-limit';
import { z } from 'zod';
import { scopeOf } from '../request-scope.ts';

/** A report larger than this is refused with 413. */
const BODY_LIMIT = '4kb';
/** Reports of one address in a minute. */
const REPORTS_PER_MINUTE = 20;

/** One line each: a report is somebody else's words, and the log must stay readable. */
const line = (max: number) =>
  z
    .string()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the control characters that are taken out.
    .transform(text => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim());

const reportSchema = z.object({
  where: z.enum(['render', 'uncaught', 'hydration']),
  name: line(100),
  message: line(1_000),
  stack: line(1_000).default(''),
  path: line(500).default(''),
});

/** `POST /client-errors`: errors that the browser has caught, for the server's log. The answer says nothing. */
export function clientErrors(): Router {
  const router = Router();
  const limit = rateLimit({
    windowMs: 60_000,
    limit: REPORTS_PER_MINUTE,
    ipv6Subnet: 56,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
  });
  router.post('/client-errors', limit, express.json({ limit: BODY_LIMIT }), (req, res) => {
    const report = reportSchema.safeParse(req.body);
    if (report.success) scopeOf(res).log.warn({ clientError: report.data }, 'client error');
    res
      .set('Cache-Control', 'no-store')
      .status(report.success ? 204 : 400)
      .end();
  });
  return router;
}
