import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';
import type { BackendClient } from '../backend/backend-client.ts';
import { remedyForAll } from '../content/answer-meaning.ts';
import { isObject } from '../content/decode/wire.ts';
import type { BackendError } from '../errors.ts';
import type { Ask } from './ask.ts';
import { EVERY_PAGE, type Finding } from './finding.ts';

/** A call that every Strapi with the site's types answers, if only with a refusal. */
const CALL = '/api/categories?pagination[pageSize]=1';
/** Failures of TLS, by the codes of Node and OpenSSL. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

export interface AddressOptions {
  readonly baseUrl: string;
  readonly ask: Ask;
  /** @returns a client for another address, without the site's credentials. */
  clientOf(baseUrl: string): BackendClient;
}

/**
 * Explains a backend that gives no usable answer. Addresses that people confuse with the right one are tried without credentials.
 *
 * @param error the failure of the first call.
 * @returns null for a failure that says nothing about the address.
 */
export async function checkAddress(error: BackendError, options: AddressOptions): Promise<Finding | null> {
  const { baseUrl } = options;
  const common = { severity: 'error', about: 'address', pages: EVERY_PAGE } as const;
  const better = await betterAddress(error, options);
  if (better !== null) {
    const what = `the CMS is not at ${baseUrl} (${error.reason}), but at ${better}`;
    return {
      ...common,
      what,
      remedy: `set CONTENT_BASE_URL=${better} and restart the site`,
      isLogged: false,
    };
  }
  if (error.kind === 'unreachable')
    return {
      ...common,
      what: `nothing answers at ${baseUrl} (${error.reason})`,
      remedy: remedyForCode(error.reason),
      isLogged: true,
    };
  if (error.kind === 'timeout')
    return {
      ...common,
      what: `${baseUrl} gives ${error.reason}`,
      remedy: 'look whether the CMS hangs; CONTENT_TIMEOUT_MS is the limit',
      isLogged: true,
    };
  if (error.status === 404)
    return {
      ...common,
      what: `the server at ${baseUrl} has none of the content types (404)`,
      remedy: remedyForAll(error, false),
      isLogged: true,
    };
  const isOther = error.kind === 'malformed' || isRedirect(error);
  if (!isOther) return null;
  return {
    ...common,
    what: `another server than the CMS answers at ${baseUrl} (${error.reason})`,
    remedy:
      'set CONTENT_BASE_URL to the address of the CMS, without /admin; look at proxies and maintenance pages',
    isLogged: false,
  };
}

function isRedirect({ status }: BackendError): boolean {
  return status !== null && status >= 300 && status < 400;
}

function remedyForCode(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'check the name in CONTENT_BASE_URL, and the name service of the machine';
  if (CERTIFICATE.test(code))
    return 'renew the certificate of the CMS, or set NODE_EXTRA_CA_CERTS to the authority that signed it';
  return 'start the CMS, or set CONTENT_BASE_URL to its address';
}

/** @returns an address at which a Strapi answers, in place of one at which none does; null without one. */
async function betterAddress(
  error: BackendError,
  { baseUrl, ask, clientOf }: AddressOptions,
): Promise<string | null> {
  const tried = new Set([baseUrl]);
  for (const candidate of await candidates(error, baseUrl, ask)) {
    if (tried.has(candidate)) continue;
    tried.add(candidate);
    if (await isStrapi(ask, clientOf(candidate))) return candidate;
  }
  return null;
}

/** @returns the target of a redirect, the address without its path, and the address with the other protocol. */
async function candidates(error: BackendError, baseUrl: string, ask: Ask): Promise<string[]> {
  const url = new URL(baseUrl);
  const location = isRedirect(error) ? await locationOf(ask) : null;
  const target = location === null ? null : URL.parse(location, baseUrl);
  const [beforeApi] = target?.href.split('/api/') ?? [];
  const other = `${url.protocol === 'https:' ? 'http:' : 'https:'}//${url.host}`;
  const found = [
    ...(beforeApi && beforeApi !== target?.href ? [beforeApi] : []),
    ...(url.pathname === '/' ? [] : [url.origin]),
    ...(error.kind === 'timeout' ? [] : [other]),
  ];
  return found.map(withoutTrailingSlashes);
}

async function locationOf(ask: Ask): Promise<string | null> {
  try {
    const { headers, body } = await ask.run((client, signal) => client.getFile(CALL, signal));
    body.destroy();
    return headers.location ?? null;
  } catch {
    return null;
  }
}

/** @returns whether a server answers as Strapi does: with data, or with a refusal in its own form. */
async function isStrapi(ask: Ask, client: BackendClient): Promise<boolean> {
  const { body, error } = await ask.json(CALL, client);
  if (error === null) return isObject(body) && 'data' in body;
  // The sentence of a refusal comes from Strapi's `error.message`.
  return (error.status === 401 || error.status === 403) && error.reason.includes('(');
}
