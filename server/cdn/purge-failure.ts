import { NamedError } from '../ops/named-error.ts';
export interface PurgeFailure {
  readonly reason: string;
  readonly remedy: string;
}

const MAX_WORDS = 200;

export class PurgeRefusedError extends NamedError {
  readonly status: number;

  /** @param text the body of the response, which may be an HTML page. */
  constructor(target: string, status: number, text: string) {
    super(`${target} answers ${status}: ${firstWords(text)}`);
    this.status = status;
  }
}

function firstWords(text: string): string {
  const parts = text
    .split('<')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('>') + 1)));
  const lines = parts.join('\n').split('\n');
  return (
    lines
      .map(line => line.trim())
      .find(line => line !== '')
      ?.slice(0, MAX_WORDS) ?? 'no words'
  );
}

const WRONG_SERVER =
  'another server than the cache answers: give CDN_PURGE the address at which the cache itself listens, not that of the site or of a proxy';

const VARNISH: Readonly<Record<number, string>> = {
  401: 'let CDN_TOKEN be the token that the cache wants',
  403: 'add the address of this machine to `acl purgers` of the cache (deploy/varnish.vcl), or let CDN_TOKEN be the token that it wants',
  404: WRONG_SERVER,
  405: 'let the cache know the method PURGE, as deploy/varnish.vcl does; or another server answers: look at the address in CDN_PURGE',
  421: WRONG_SERVER,
  501: 'let the cache know the method PURGE, as deploy/varnish.vcl does; or another server answers: look at the address in CDN_PURGE',
};
const VENDOR: Readonly<Record<number, string>> = {
  401: 'give CDN_TOKEN a token that is valid at the vendor',
  403: 'give the token in CDN_TOKEN the right to purge this service or zone',
  404: 'correct the ID in CDN_PURGE',
};

/** Describes a failed purge for the log and `/readyz`. */
export function purgeFailure(target: string, error: unknown): PurgeFailure {
  if (error instanceof PurgeRefusedError) {
    const known = (target.startsWith('varnish ') ? VARNISH : VENDOR)[error.status];
    const remedy =
      known ?? (error.status === 429 ? 'wait: purges are sent again' : 'look at the log of the cache');
    return { reason: error.message, remedy };
  }
  const { message, name } = error instanceof Error ? error : { message: String(error), name: '' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : name;
  return {
    reason: `${target}: ${message || code}`,
    remedy:
      'look whether the cache runs, and whether CDN_PURGE (or CDN_API) has its address and this machine reaches it',
  };
}
