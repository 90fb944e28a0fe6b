import type { RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import type { KnownProblem, ProblemLog } from '../decode/problem-log.ts';
import type { Doctor } from '../doctor/doctor.ts';
import type { Finding } from '../doctor/finding.ts';
import type { WebhookOutcomes } from '../events/webhook-outcomes.ts';
import { scopeOf } from '../http/request/request-scope.ts';
import { bearsSecret } from '../http/security/bearer-token.ts';
import type { ProblemKind } from '../ops/log-codes.ts';
import type { RedirectUses } from '../page/answer-redirect.ts';
import { limitGuesses } from '../shared-store/rate-limit.ts';
import { modelOf, servedType, tagOfModel } from '../wire/described-types.ts';

export const PROBLEMS_PATH = '/api/problems';

const MAX_PROBLEMS = 500;

/** A problem for editors: of the content, or found by the doctor. */
interface SiteProblem {
  /** The `code` of the log entry, or of the doctor's finding. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'may-stay';
  /** The name of the content type's model, such as `article`; null for a problem of the configuration. */
  readonly model: string | null;
  /** Whether it is a single type, whose edit form has another address in the panel. */
  readonly isSingle: boolean;
  readonly id: string | null;
  readonly title: string | null;
  readonly field: string | null;
  readonly what: string;
  readonly remedy: string | null;
}

interface LinkingEntry {
  readonly type: string;
  readonly id: string | null;
  readonly title: string;
  readonly path: string | null;
}

interface ProblemsParts {
  readonly config: Pick<Config, 'problemsToken'>;
  readonly problems: Pick<ProblemLog, 'newest'>;
  readonly doctor: Pick<Doctor, 'report'>;
  readonly links: {
    linkingTo(type: string, id: string): readonly LinkingEntry[];
    titleOf(type: string, id: string): string | null;
  };
  readonly redirectUses: Pick<RedirectUses, 'counts'>;
  readonly webhookOutcomes: Pick<WebhookOutcomes, 'last'>;
}

/**
 * `GET /api/problems` for the panel of the CMS: what the site left out and why, and the uses of redirects.
 * With `model` and `id` of an entry, also the entries that link to its page.
 */
export function siteProblems(parts: ProblemsParts): RequestHandler[] {
  const { problemsToken: token } = parts.config;
  if (token === null) return [];
  const isGuessing = limitGuesses();
  const requireToken: RequestHandler = async (req, res, next) => {
    res.set('Cache-Control', 'no-store');
    const header = req.get('authorization');
    if (bearsSecret(header, token)) return next();
    const isLimited = header !== undefined && (await isGuessing(req));
    if (isLimited) scopeOf(res).trace.cause = 'webhook';
    else res.set('WWW-Authenticate', 'Bearer');
    res.status(isLimited ? 429 : 401).json({ error: 'Send PROBLEMS_TOKEN as the bearer token' });
  };
  const answer: RequestHandler = ({ query: { model, id } }, res) => {
    const { lastEventAt, lastMissed } = parts.webhookOutcomes.last;
    const all = problemsOf(parts);
    const isEntry = typeof model === 'string' && typeof id === 'string';
    const problems = isEntry ? all.filter(one => one.model === model && one.id === id) : all;
    const type = isEntry ? servedType(tagOfModel(model) ?? '') : null;
    const linking = type && isEntry ? parts.links.linkingTo(type.path, id) : [];
    res.json({
      lastEventAt,
      lastMissed,
      examinedAt: parts.doctor.report?.examinedAt ?? null,
      count: problems.filter(({ severity }) => severity !== 'may-stay').length,
      problems: problems.slice(0, MAX_PROBLEMS),
      linkedFrom: linking
        .slice(0, MAX_PROBLEMS)
        .map(({ type: from, id, title, path }) => ({ ...modelAt(from), id, title, path })),
      redirectUses: isEntry ? undefined : parts.redirectUses.counts(),
    });
  };
  return [requireToken, answer];
}

function problemsOf({ problems, doctor, links }: ProblemsParts): SiteProblem[] {
  const ofContent = problems
    .newest(Number.POSITIVE_INFINITY)
    .map(problem => fromContent(problem, problem.id && links.titleOf(problem.type, problem.id)));
  const found = (doctor.report?.findings ?? []).filter(({ code }) => !code.startsWith('link-'));
  const all = [...found.map(fromDoctor), ...ofContent];
  return all.toSorted((a, b) => GRADES.indexOf(a.severity) - GRADES.indexOf(b.severity));
}

const GRADES: readonly SiteProblem['severity'][] = ['error', 'warning', 'may-stay'];

function fromDoctor({ code, severity, mayStay, about, what, remedy }: Finding): SiteProblem {
  const grade = mayStay ? 'may-stay' : severity;
  const nowhere = { id: null, title: null, field: null };
  return { code, severity: grade, ...modelAt(about), ...nowhere, what, remedy };
}

const SEVERITIES: Partial<Record<ProblemKind, SiteProblem['severity']>> = {
  'address-reserved': 'error',
  'link-moved': 'may-stay',
};

function fromContent({ kind, type, id, field, reason }: KnownProblem, title: string | null): SiteProblem {
  const severity = SEVERITIES[kind] ?? 'warning';
  return {
    code: `content-${kind}`,
    severity,
    ...modelAt(type),
    id,
    title,
    field,
    what: reason,
    remedy: null,
  };
}

/** @param path the path of a type, or of a row inside another row, such as `articles.author`. */
function modelAt(path: string): Pick<SiteProblem, 'model' | 'isSingle'> {
  const type = servedType(path.split('.', 1)[0] ?? '');
  return { model: type && modelOf(type.path), isSingle: type?.storage === 'single' };
}
