import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';
import type { BackendClient } from '../backend/backend-client.ts';
import { countsAsEmpty, remedyFor, remedyForAll } from '../content/requests/answer-meaning.ts';
import type { BackendError } from '../errors.ts';
import { callOf } from '../wire/content-calls.ts';
import { labelOf } from '../wire/described-types.ts';
import { isObject } from '../wire/wire.ts';
import type { Ask } from './ask.ts';
import type { ExaminedType } from './examine-type.ts';
import { aboutType, type Finding, type FindingCode, finding, named, quotedList } from './finding.ts';

const CALL = '/api/categories?pagination[pageSize]=1';
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

interface AccessOptions {
  readonly baseUrl: string;
  readonly ask: Ask;
  readonly hasToken: boolean;
  readonly previewer: BackendClient | null;
  clientOf(baseUrl: string): BackendClient;
}

/** Reports a single finding if all types fail in the same way. */
export async function checkAccess(
  types: readonly ExaminedType[],
  options: AccessOptions,
): Promise<{ isReached: boolean; findings: Finding[] }> {
  const failed = types.flatMap(({ name, type, error }) => (error ? [{ name, type, error }] : []));
  const [first] = failed;
  const isReached = failed.length < types.length;
  const areAlike = (key: 'status' | 'kind') => failed.every(({ error }) => error[key] === first?.error[key]);
  if (first && !isReached && areAlike('status')) {
    const wrongAddress = areAlike('kind') ? await checkAddress(first.error, options) : null;
    return { isReached, findings: [wrongAddress ?? failureOfAll(first.error, options.hasToken)] };
  }
  const findings = failed.map(({ name, type, error }) => {
    const remedy = remedyFor(type, error, options.hasToken);
    if (error.status === 404 && type.storage === 'single')
      return absentSingle({ name, type }, options, remedy);
    return aboutType(codeOf(type, error), type, { what: failure(named(name, type), error), remedy });
  });
  return { isReached, findings: await Promise.all(findings) };
}

/** @returns a finding's code. A missing type that counts as empty breaks no page. */
function codeOf(type: ExaminedType['type'], error: BackendError): FindingCode {
  if (error.status === 403) return 'type-forbidden';
  if (error.status !== 404) return 'type-failing';
  if (!countsAsEmpty(type, error)) return 'needed-type-absent';
  return type.optional ? 'optional-type-absent' : 'type-absent';
}

function failure(type: string, error: BackendError): string {
  if (error.status === 403) return `the site may not read ${type}: the CMS answers 403`;
  if (error.status === 404) return `the CMS has no type ${type}: it answers 404`;
  return `${type} cannot be read: ${error.reason}`;
}

const REFUSALS: Readonly<Record<string, readonly [FindingCode, what: string]>> = {
  '401 true': [
    'token-refused',
    'the CMS does not accept CONTENT_TOKEN (401): it is wrong, was deleted, has expired, or was made by another CMS',
  ],
  '401 false': ['token-absent', 'the CMS asks for credentials (401), and CONTENT_TOKEN is not set'],
  '403 true': ['token-without-permissions', 'CONTENT_TOKEN may read no type (403)'],
  '403 false': [
    'public-without-permissions',
    'the CMS lets nobody read without a token (403), and CONTENT_TOKEN is not set',
  ],
};

function failureOfAll(error: BackendError, hasToken: boolean): Finding {
  const [code, what] = REFUSALS[`${error.status} ${hasToken}`] ?? [
    'cms-failing' as const,
    `the CMS fails at every call: ${error.reason}`,
  ];
  return finding(code, { what, remedy: remedyForAll(error, hasToken) });
}

async function absentSingle(
  { name, type }: Pick<ExaminedType, 'name' | 'type'>,
  { ask, previewer }: AccessOptions,
  remedy: string,
): Promise<Finding> {
  const sentence = named(name, type);
  for (const alias of type.aliases ?? []) {
    if ((await ask.json(`/api/${alias}`)).error?.status === 404) continue;
    return aboutType('single-type-of-another-name', type, {
      what: `the CMS has /api/${alias}, and the site asks for ${sentence} (404)`,
      remedy: `Strapi: create the single type again with the API ID ${quotedList([type.path])} (singular), by the tab Advanced or in its schema.json`,
    });
  }
  const draft = await ask.json(callOf(type, 'status=draft'), previewer ?? undefined);
  if (draft.error)
    return aboutType('single-type-unsaved', type, {
      what: `${sentence} was never saved, or is no single type of the CMS (404)`,
      remedy,
    });
  return aboutType('single-type-unpublished', type, {
    what: `${sentence} is saved and not published (404)`,
    remedy: `Strapi: Content Manager → Single Types → ${labelOf(name)} → Publish`,
  });
}

async function checkAddress(error: BackendError, options: AccessOptions): Promise<Finding | null> {
  const { baseUrl, ask, clientOf } = options;
  const { kind, status, reason } = error;
  // Send no credentials to the other addresses, because they may belong to another server.
  for (const candidate of await otherAddresses(error, baseUrl, ask))
    if (await isStrapi(ask, clientOf(candidate)))
      return finding('address-elsewhere', {
        what: `the CMS is not at ${baseUrl} (${reason}), but at ${candidate}`,
        remedy: `set CONTENT_BASE_URL=${candidate} and restart the site`,
      });
  if (kind === 'unreachable')
    return finding('address-silent', {
      what: `nothing answers at ${baseUrl} (${reason})`,
      remedy: remedyForCode(reason),
    });
  if (kind === 'timeout')
    return finding('address-timeout', {
      what: `${baseUrl} gives ${reason}`,
      remedy: 'look whether the CMS hangs; CONTENT_TIMEOUT_MS is the limit',
    });
  if (status === 404)
    return finding('address-without-types', {
      what: `the server at ${baseUrl} has none of the content types (404)`,
      remedy: remedyForAll(error, false),
    });
  if (kind !== 'malformed' && !isRedirect(error)) return null;
  return finding('address-of-another-server', {
    what: `another server than the CMS answers at ${baseUrl} (${reason})`,
    remedy:
      'set CONTENT_BASE_URL to the address of the CMS, without /admin; look at proxies and maintenance pages',
  });
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

async function otherAddresses(error: BackendError, baseUrl: string, ask: Ask): Promise<Set<string>> {
  const url = new URL(baseUrl);
  const location = isRedirect(error) ? (await ask.head(CALL)).headers.location : undefined;
  const target = location === undefined ? null : URL.parse(location, baseUrl);
  const [beforeApi] = target?.href.split('/api/') ?? [];
  const other = `${url.protocol === 'https:' ? 'http:' : 'https:'}//${url.host}`;
  const found = new Set(
    [
      ...(beforeApi && beforeApi !== target?.href ? [beforeApi] : []),
      ...(url.pathname === '/' ? [] : [url.origin]),
      ...(error.kind === 'timeout' ? [] : [other]),
    ].map(withoutTrailingSlashes),
  );
  found.delete(baseUrl);
  return found;
}

async function isStrapi(ask: Ask, client: BackendClient): Promise<boolean> {
  const { body, error } = await ask.json(CALL, client);
  if (error === null) return isObject(body) && 'data' in body;
  // Text in brackets comes from `error.message` in the body, where Strapi explains a refusal.
  return (error.status === 401 || error.status === 403) && error.reason.includes('(');
}
