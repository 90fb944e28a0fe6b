import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config/config.ts';
import { isLoopbackAddress } from '../http/request/request-origin.ts';
import { bearsSecret, isSecret } from '../http/security/bearer-token.ts';
import { createSigner } from '../http/security/signed-value.ts';
import type { Logger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';

const COOKIE = 'ops';
const SIGNED_IN_S = 12 * 3_600;

/** Decides who sees what. Without OPS_TOKEN nobody can sign in, and the page has no form. */
export class Access {
  readonly token: string | null;
  readonly #signer: ReturnType<typeof createSigner> | null;
  readonly #log: Logger;
  readonly #metrics: Pick<Metrics, 'count'>;

  constructor({ opsToken }: Pick<Config, 'opsToken'>, log: Logger, metrics: Pick<Metrics, 'count'>) {
    this.token = opsToken;
    this.#log = log;
    this.#metrics = metrics;
    this.#signer = opsToken === null ? null : createSigner([opsToken], 'ops-page');
  }

  /** Readers see the figures, as they may read `/metrics`. Operators, who have OPS_TOKEN, see everything. */
  viewerOf(req: Request): 'stranger' | 'reader' | 'operator' {
    if (this.token !== null && bearsSecret(req.get('authorization'), this.token)) return 'operator';
    const [, cookie = ''] = /(?:^|; )ops=([^;]+)/.exec(req.get('cookie') ?? '') ?? [];
    if (this.#signer?.read(cookie)?.isExpired === false) return 'operator';
    return isLoopbackAddress(req.socket.remoteAddress) ? 'reader' : 'stranger';
  }

  signIn(res: Response, guess: string): boolean {
    if (this.token === null || !this.#signer || !isSecret(guess, this.token)) {
      this.#metrics.count('site_secret_uses_total', 'OPS_TOKEN', 'refused');
      this.#log.warn({ code: 'ops-sign-in-refused' }, 'ops page: a wrong token was refused');
      return false;
    }
    this.#metrics.count('site_secret_uses_total', 'OPS_TOKEN', 'used');
    this.#log.info({ code: 'ops-signed-in' }, 'ops page: an operator has signed in');
    res.cookie(COOKIE, this.#signer.sign('operator', SIGNED_IN_S), {
      ...{ httpOnly: true, sameSite: 'strict', path: '/', maxAge: SIGNED_IN_S * 1_000 },
    });
    return true;
  }

  signOut(res: Response): void {
    res.clearCookie(COOKIE, { httpOnly: true, sameSite: 'strict', path: '/' });
  }

  readonly operatorsOnly: RequestHandler = (req, res, next) => {
    if (this.viewerOf(req) === 'operator') next();
    else res.status(401).json({ error: 'Sign in first' });
  };

  /** Refuses POST requests of other sites, and of other ports here, which browsers count as the same site. */
  readonly ownPostsOnly: RequestHandler = (req, res, next) => {
    const origin = req.get('origin');
    const isOwn =
      origin === undefined ? !req.get('sec-fetch-site') : URL.parse(origin)?.host === req.get('host');
    if (isOwn) return next();
    this.#log.warn({ code: 'ops-cross-site' }, 'ops page: a post from another site was refused');
    res.status(403).json({ error: 'Posts are accepted from the page itself alone' });
  };
}
