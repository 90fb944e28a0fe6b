import { MARKDOWN_TYPE } from '../../server/http/request/prefers-markdown.ts';
import { REPORT_GROUP } from '../../server/http/security/content-security-policy.ts';
import type { RedirectRule } from '../../shared/routing/redirects.ts';
import type { Answer } from './running-site.ts';

export interface ExportedRedirect extends Pick<RedirectRule, 'to' | 'joinsRest'> {
  /** An encoded path. It ends with `/**` for all addresses below. */
  readonly from: string;
  readonly statusCode: number;
}

interface Hosting {
  /** Responses of the live site, by kind: `page`, `uploads` and names of files. */
  readonly samples: ReadonlyMap<string, Pick<Answer, 'headers'>>;
  readonly redirects: readonly ExportedRedirect[];
  readonly gone: readonly { readonly path: string; readonly wildcard: boolean }[];
  readonly forms: string | null;
  readonly buildId: string;
}

type Headers = readonly (readonly [name: string, value: string])[];

/** The headers of a page that a static file server must send, too. */
const SECURITY = [
  ...['Content-Security-Policy', 'Cross-Origin-Opener-Policy', 'Cross-Origin-Resource-Policy'],
  ...['Origin-Agent-Cluster', 'Permissions-Policy', 'Referrer-Policy', 'Strict-Transport-Security'],
  ...['X-Content-Type-Options', 'X-Frame-Options', 'X-Robots-Tag'],
];
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Browsers revalidate a page each time, and get a 304 if it is unchanged. */
const ASK_AGAIN = 'public, max-age=0, must-revalidate';
/** Browsers revalidate hourly, because a replaced file may keep its address, as on the live site. */
const ONE_HOUR = 'public, max-age=3600, stale-while-revalidate=3600';
/** Cloudflare's limits for `_redirects`. Netlify has none. */
const MOST_REDIRECTS = 2_000;
const MOST_WILDCARDS = 100;

export function hostFiles(hosting: Hosting) {
  const security = securityOf(hosting.samples.get('page')?.headers ?? {}, hosting.forms);
  const sorted = [...hosting.redirects].sort((a, b) => (a.from < b.from ? -1 : 1));
  // Hosts take the first match, so the longest and therefore closest wildcard comes first.
  const exact = sorted.filter(({ from }) => !isWildcard(from));
  const wildcards = sorted
    .filter(({ from }) => isWildcard(from))
    .sort((a, b) => b.from.length - a.from.length);
  const redirects = [...exact, ...wildcards];
  return {
    files: new Map([
      ['_headers', headersFile(hosting, security)],
      ['_redirects', redirects.flatMap(redirectLines).join('')],
      ['_nginx.conf', nginxFile(hosting, security, redirects)],
    ]),
    missing: [
      ...(exact.length > MOST_REDIRECTS || wildcards.length > MOST_WILDCARDS
        ? [`_redirects: ${redirects.length} rows are more than Cloudflare reads`]
        : []),
      ...hosting.gone.map(({ path }) => `${path}: gone, a 410 in nginx and a 404 elsewhere`),
    ],
  };
}

const isWildcard = (from: string) => from.endsWith('/**');

function securityOf(headers: Answer['headers'], forms: string | null): Headers {
  return SECURITY.flatMap(name => {
    const value = headers[name.toLowerCase()];
    if (typeof value !== 'string') return [];
    return [[name, name === 'Content-Security-Policy' ? policyOf(value, forms) : value] as const];
  });
}

/** @returns the policy with the target of forms, and without reports, which a file server cannot receive. */
function policyOf(policy: string, forms: string | null): string {
  return policy
    .split('; ')
    .filter(directive => !directive.startsWith('report-uri ') && directive !== `report-to ${REPORT_GROUP}`)
    .map(directive => (directive.startsWith('form-action ') && forms ? `${directive} ${forms}` : directive))
    .join('; ');
}

/** @returns the kinds of files with different headers, with their patterns for `_headers` and nginx. */
function kindsOf({ samples }: Hosting): { pattern: string; nginx: string; headers: Headers }[] {
  const of = (kind: string) => samples.get(kind)?.headers ?? {};
  const policy = of('uploads')['content-security-policy'];
  const type = (kind: string): Headers => {
    const value = of(kind)['content-type'];
    return value ? [['Content-Type', value]] : [];
  };
  const names = ['feed.xml', 'atom.xml', 'feed.json'].filter(name => samples.has(name));
  return [
    { pattern: '/assets/*', nginx: '^~ /assets/', headers: [['Cache-Control', IMMUTABLE]] },
    { pattern: '/builds/meta/*', nginx: '^~ /builds/meta/', headers: [['Cache-Control', IMMUTABLE]] },
    {
      pattern: '/uploads/*',
      nginx: '^~ /uploads/',
      headers: [
        ['Cache-Control', ONE_HOUR],
        ...(typeof policy === 'string' ? ([['Content-Security-Policy', policy]] as const) : []),
      ],
    },
    { pattern: '/images/*', nginx: '^~ /images/', headers: [['Cache-Control', ONE_HOUR]] },
    { pattern: '/*.md', nginx: '~ \\.md$', headers: [['Content-Type', `${MARKDOWN_TYPE}; charset=utf-8`]] },
    ...names.map(name => ({
      pattern: `/*/${name}`,
      nginx: `~ /${name.replace('.', '\\.')}$`,
      headers: type(name),
    })),
  ];
}

function headersFile(hosting: Hosting, security: Headers): string {
  const block = (pattern: string, headers: Headers) =>
    `${pattern}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`;
  const blocks = kindsOf(hosting).map(({ pattern, headers }) => block(pattern, headers));
  return [block('/*', security), ...blocks].join('\n');
}

function redirectLines({ from, to, statusCode, joinsRest }: ExportedRedirect): string[] {
  if (!isWildcard(from)) return [`${from} ${to} ${statusCode}\n`];
  const above = from.slice(0, -'/**'.length);
  const rest = joinsRest ? `${to.replace(/\/$/, '')}/:splat` : to;
  return [...(above === '' ? [] : [`${above} ${to} ${statusCode}\n`]), `${above}/* ${rest} ${statusCode}\n`];
}

function nginxFile(hosting: Hosting, security: Headers, redirects: readonly ExportedRedirect[]): string {
  const location = (match: string, lines: readonly string[], headers: Headers) => {
    const own = new Set(headers.map(([name]) => name));
    const type = headers.find(([name]) => name === 'Content-Type');
    const all = [...security.filter(([name]) => !own.has(name)), ...headers.filter(one => one !== type)];
    const sent = all.map(([name, value]) => `add_header ${name} ${quoted(value)} always;`);
    const typed = type ? ['types {}', `default_type ${quoted(type[1])};`] : [];
    return `location ${match} {\n${[...lines, ...typed, ...sent].map(line => `    ${line}\n`).join('')}}\n`;
  };
  const found = 'try_files $uri =404;';
  const asked: Headers = [['Cache-Control', ASK_AGAIN]];
  const pictures = 'types { image/avif avif; image/webp webp; image/jpeg jpg jpeg; }';
  return [
    '# Include this file in a `server` block with `listen`, `server_name`, and this folder as `root`.\n',
    'charset utf-8;\n',
    'error_page 404 410 /404.html;\n',
    '# Pages have no slash at the end.\n',
    'rewrite ^(/.+?)/+$ $1 permanent;\n\n',
    location('= /', ['try_files /index.html =404;'], asked),
    location('/', ['try_files $uri.html $uri =404;'], asked),
    location('~ \\.html$', ['internal;'], asked),
    location('~ /_payload\\.json$', [found], asked),
    location('= /builds/latest.json', [found], [['Cache-Control', 'no-store']]),
    'location ~ ^/_(?:headers|redirects|nginx\\.conf)$ { return 404; }\n',
    ...kindsOf(hosting).map(({ nginx, headers }) =>
      location(nginx, [found, ...(nginx.includes('/images/') ? [pictures] : [])], headers),
    ),
    ...redirects.flatMap(nginxRedirect),
    ...hosting.gone.map(
      ({ path, wildcard }) =>
        `location ${wildcard ? '^~' : '='} ${quoted(wildcard ? `${path}/` : path)} { return 410; }\n`,
    ),
  ].join('');
}

/** nginx matches decoded paths, and sends the target as it is written here. */
function nginxRedirect({ from, to, statusCode, joinsRest }: ExportedRedirect): string[] {
  const query = to.includes('?') || to.includes('#') ? '' : '$is_args$args';
  const answer = `return ${statusCode} "${escaped(to)}${query}";`;
  if (!isWildcard(from)) return [`location = ${quoted(decodeURI(from))} { ${answer} }\n`];
  const above = decodeURI(from.slice(0, -'/**'.length));
  const kind = statusCode === 301 || statusCode === 308 ? 'permanent' : 'redirect';
  // Only `rewrite` encodes the rest of the path again.
  const rest = joinsRest
    ? `rewrite ${quoted(`^${above.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/(.*)$`)} ${quoted(`${to.replace(/\/$/, '')}/$1`, true)} ${kind};`
    : answer;
  return [
    ...(above === '' ? [] : [`location = ${quoted(above)} { ${answer} }\n`]),
    `location ^~ ${quoted(`${above}/`)} { ${rest} }\n`,
  ];
}

/** Writes a string of nginx. Elsewhere than in a rewrite a `$` would begin a variable. */
function quoted(text: string, hasGroup = false): string {
  return `"${hasGroup ? text.replaceAll('"', '%22') : text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function escaped(address: string): string {
  return address.replaceAll('$', '%24').replaceAll('"', '%22').replaceAll('\\', '%5C');
}
