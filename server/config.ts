import * as z from 'zod';
import { withoutTrailingSlashes } from '../shared/routing/trailing-slashes.ts';
import { type CdnAddress, cdnAddress } from './cdn/cdn-address.ts';
import {
  commaList,
  currency,
  HOST,
  headers,
  hosts,
  httpUrl,
  locale,
  onOff,
  origin,
  origins,
  port,
  secret,
  timeZone,
  token,
  trustProxy,
  wholeNumber,
} from './config-values.ts';
import { embedProviders } from './content/embeds/embed-config.ts';
import type { EmbedProvider } from './content/embeds/embed-providers.ts';
import type { Secret } from './http/bearer-token.ts';
import { type QueueConfig, queueAddress, queueConfig, queueName } from './outbox/queue/queue-config.ts';
import { type SharedAddress, sharedAddress } from './shared-state/shared-address.ts';

export { HOST };

/** The process's configuration, decoded once. Nothing else reads the environment. */
export interface Config {
  /** Whether NODE_ENV is `production`. */
  readonly isProduction: boolean;
  readonly port: number;
  readonly host: string;
  /** Origin of the public site, without a trailing slash. Null: answers name no host, except to this machine's own browsers. */
  readonly publicOrigin: string | null;
  /** Whether every host is served by the same answers, which name no host: PUBLIC_URL is `any`. `publicOrigin` is then null. */
  readonly anyHost: boolean;
  /** Hosts that are served besides the public one, in lower case. A host with a port is served on that port only. */
  readonly allowedHosts: readonly string[];
  /** The content backend's address, without a trailing slash and without `/api`. Null: the embedded backend is started. */
  readonly contentBaseUrl: string | null;
  /** The address under which browsers reach the backend, in the same form. Editors paste it into texts. Null: the same as the address above. */
  readonly contentPublicUrl: string | null;
  readonly contentToken: string | null;
  readonly contentHeaders: Readonly<Record<string, string>>;
  readonly contentTimeoutMs: number;
  readonly contentTtlMs: number;
  /** How long a page or a piece of content may be shown past its freshness while the backend fails. */
  readonly staleIfErrorMs: number;
  /** The pause between two searches for changes of which no event has told, in ms. 0: none are searched for. */
  readonly contentSweepMs: number;
  /** Of how many addresses in the sitemap the content is loaded before a visitor asks. */
  readonly contentWarm: number;
  /** The memory that stored pages may take. With 0 no page is stored. */
  readonly pageCacheBytes: number;
  /** Null: there is no webhook. */
  readonly webhookSecret: Secret | null;
  /** The addresses for reports of vulnerabilities, best first. Empty: there is no `/.well-known/security.txt`. */
  readonly securityContact: readonly string[];
  /** The address of the policy for such reports. Null: none is named. */
  readonly securityPolicy: string | null;
  /** Signs the links by which visitors confirm and leave the newsletter. Null: there are no such links. */
  readonly subscribeSecret: Secret | null;
  /** Null: there is no preview of drafts. */
  readonly preview: PreviewConfig | null;
  readonly opsPort: number;
  readonly opsHost: string;
  /** Names under which the ops port answers besides those of this machine, in lower case. */
  readonly opsHosts: readonly string[];
  /** Null: the ops endpoint `/cache` does not exist. */
  readonly opsToken: string | null;
  readonly dataDir: string;
  /** The folder of the assets of earlier builds. Null: a folder below the data folder. */
  readonly assetsDir: string | null;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** The lines of requests that one address may have in the log in a second; 0: all. */
  readonly accessLogLines: number;
  /** Origins, other than the backend's own, from which content may show pictures. */
  readonly mediaOrigins: readonly string[];
  /** The services whose films pages play after a click. */
  readonly embedProviders: readonly EmbedProvider[];
  /** The only other hosts that a redirect of the content may lead to, in lower case. Null: any host. */
  readonly redirectHosts: readonly string[] | null;
  /** The limit of form posts from one IP address in ten minutes. */
  readonly formRateLimit: number;
  /** How long a message that could not be delivered is kept for the site's operators. */
  readonly deadLetterDays: number;
  /** The queue by which replicas share the delivery of messages. Null: each process delivers those of its own data folder. */
  readonly outboxQueue: QueueConfig | null;
  /** How long the embedded backend keeps the messages that it has received. */
  readonly mailDays: number;
  /** The limit of pages in flight that are not stored. Others wait for a place. */
  readonly maxRenders: number;
  /** Whether scripts that the settings name wait for the visitor's consent, when they come from another origin. */
  readonly scriptsConsent: boolean;
  /** The locale of words, dates and numbers (BCP 47). Its language has a catalogue. */
  readonly siteLocale: string;
  /** The time zone of dates (IANA). */
  readonly siteTimeZone: string;
  /** The currency of amounts (ISO 4217). */
  readonly siteCurrency: string;
  readonly siteIndexing: boolean;
  /** The promise of `Strict-Transport-Security`: none, for this host, for its subdomains, too, or to the preload lists of browsers as well. */
  readonly hsts: 'off' | 'host' | 'subdomains' | 'preload';
  readonly deviceRefreshOnResize: boolean;
  readonly buildPollIntervalMs: number;
  /** Express's `trust proxy`: false, a number of hops, or a list of addresses. */
  readonly trustProxy: false | number | string;
  /** How long the process goes on serving after SIGTERM while `/readyz` already says that it is not ready, in ms. */
  readonly shutdownDelayMs: number;
  /** The name of this process among its replicas, in log, metrics and `Cache-Status`. */
  readonly replicaId: string | null;
  /** Whether other processes may listen on the same port. The system then spreads connections over them. */
  readonly reusePort: boolean;
  /** The store that replicas share. Null: this process knows nothing of others. */
  readonly sharedStore: SharedAddress | null;
  /** Seals what this process writes to the shared store. Null: whoever can write to the store is believed. */
  readonly sharedSecret: Secret | null;
  /** The beginning of all keys in the shared store. Null: made from the backend's address. */
  readonly sharedPrefix: string | null;
  /** The caches in front that the site purges. Null: none. */
  readonly cdnPurge: CdnAddress | null;
  /** The token of the vendor's API, or of the caches. */
  readonly cdnToken: string | null;
  /** The address of the vendor's API. Null: the vendor's own. */
  readonly cdnApi: string | null;
  /** Whether pages are told of rebuilds. Only `npm run dev` sets it. */
  readonly devReload: boolean;
}

/** The preview, in which editors see drafts. */
export interface PreviewConfig {
  /** The CMS shows this secret when it opens a preview. It also signs the cookie of the preview. */
  readonly secret: Secret;
  /** The backend's token that may read drafts. */
  readonly token: string;
  /** The origins whose pages may show a preview in a frame. */
  readonly frameOrigins: readonly string[];
}

/** The configuration cannot be used. Each problem names its variable and the values that the variable accepts. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const PUBLIC_URL_WANTS = 'wants an http(s) address without a path, such as https://www.example.com, or any';
/** The lines to type where an address is needed. */
const PUBLIC_URL_LINES =
  'Set PUBLIC_URL=https://www.example.com, or PUBLIC_URL=any to serve every host without absolute addresses and outside of search engines';

const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: z.union([z.literal('any'), origin(PUBLIC_URL_WANTS)], PUBLIC_URL_WANTS).optional(),
  ALLOWED_HOSTS: hosts('www.example.com or 10.0.0.1:3000').default([]),
  NODE_ENV: z.string().optional(),
  CONTENT: z.enum(['embedded'], 'wants embedded, or nothing').optional(),
  CONTENT_BASE_URL: httpUrl('wants an http(s) address, such as https://cms.example.com').optional(),
  CONTENT_PUBLIC_URL: httpUrl('wants an http(s) address, such as https://cms.example.com').optional(),
  CONTENT_TOKEN: token.optional(),
  CONTENT_HEADERS: headers.default({}),
  CONTENT_TIMEOUT_MS: wholeNumber(1, 60_000, 'ms').default(2_500),
  CONTENT_TTL_MS: wholeNumber(0, 86_400_000, 'ms').default(60_000),
  STALE_IF_ERROR_MS: wholeNumber(0, 31_536_000_000, 'ms').default(864_000_000),
  CONTENT_SWEEP_MS: wholeNumber(0, 3_600_000, 'ms').default(12_000),
  CONTENT_WARM: wholeNumber(0, 1_000_000, 'addresses').default(5_000),
  PAGE_CACHE_BYTES: wholeNumber(0, 68_719_476_736, 'bytes').default(268_435_456),
  WEBHOOK_SECRET: secret(16).optional(),
  WEBHOOK_SECRET_OLD: secret(16).optional(),
  SUBSCRIBE_SECRET: secret(32).optional(),
  SUBSCRIBE_SECRET_OLD: secret(32).optional(),
  PREVIEW_SECRET: secret(32).optional(),
  PREVIEW_SECRET_OLD: secret(32).optional(),
  PREVIEW_TOKEN: token.optional(),
  PREVIEW_FRAME_ORIGINS: origins('https://cms.example.com').default([]),
  OPS_TOKEN: secret(16).optional(),
  SECURITY_CONTACT: commaList
    .pipe(
      z.array(
        z
          .string()
          // RFC 9116, 2.5.3: a URI. Spaces and controls would begin another line or field.
          .regex(
            /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/,
            'wants addresses such as mailto:security@example.com or https://example.com/report, separated by commas',
          ),
      ),
    )
    .default([]),
  SECURITY_POLICY: z
    .string()
    .regex(/^https:\/\/\S+$/, 'wants an https address')
    .optional(),
  OPS_PORT: port.default(9464),
  OPS_HOST: z.string().default('127.0.0.1'),
  OPS_HOSTS: hosts('site or ops.internal:9464').default([]),
  DATA_DIR: z.string().default('./data'),
  ASSETS_DIR: z.string().optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'wants one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
  ACCESS_LOG_LINES: wholeNumber(0, 1_000_000, 'lines').default(100),
  MEDIA_ORIGINS: origins('https://media.example.com').default([]),
  EMBED_PROVIDERS: embedProviders,
  REDIRECT_HOSTS: hosts('shop.example.com').optional(),
  FORM_RATE_LIMIT: wholeNumber(1, 1_000_000, 'posts from one IP address in ten minutes').default(30),
  DEAD_LETTER_DAYS: wholeNumber(1, 3_650, 'days').default(30),
  OUTBOX_URL: queueAddress.optional(),
  OUTBOX_QUEUE: queueName.optional(),
  OUTBOX_TRUST: onOff.default(false),
  MAIL_DAYS: wholeNumber(1, 3_650, 'days').default(30),
  MAX_RENDERS: wholeNumber(1, 10_000, 'pages').default(32),
  SCRIPTS_CONSENT: onOff.default(true),
  SITE_LOCALE: locale.default('en-GB'),
  SITE_TIME_ZONE: timeZone.default('UTC'),
  SITE_CURRENCY: currency.default('USD'),
  SITE_INDEXING: onOff.default(true),
  HSTS: z
    .enum(['off', 'host', 'subdomains', 'preload'], 'wants one of off, host, subdomains, preload')
    .default('host'),
  DEVICE_REFRESH_ON_RESIZE: onOff.default(false),
  BUILD_POLL_INTERVAL_MS: wholeNumber(1_000, 86_400_000, 'ms').default(3_600_000),
  TRUST_PROXY: trustProxy.default(false),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000, 'ms').default(0),
  REPLICA_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'wants a name of letters, digits, dots, hyphens and underscores, 64 at most')
    .optional(),
  REUSE_PORT: onOff.default(false),
  SHARED_URL: sharedAddress.optional(),
  SHARED_SECRET: secret(32).optional(),
  SHARED_SECRET_OLD: secret(32).optional(),
  SHARED_PREFIX: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'wants letters, digits, dots, colons, hyphens and underscores, 64 at most')
    .optional(),
  CDN_PURGE: cdnAddress.optional(),
  CDN_TOKEN: token.optional(),
  CDN_API: origin('wants an http(s) address without a path, such as https://api.fastly.com').optional(),
  DEV_RELOAD: onOff.default(false),
});

/**
 * Decodes the environment. An empty variable counts as not set.
 *
 * @param servesPages false for a command that needs no content, such as `npm run outbox`.
 * @throws ConfigError naming every variable that is wrong. Variables are compared with each other once each one is valid.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  { servesPages = true } = {},
): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  // zod would write and compile a function, for this one call.
  const decoded = environment.safeParse(set, { jitless: true });
  if (!decoded.success) {
    throw new ConfigError(
      decoded.error.issues.map(issue => `${issue.path[0]?.toString() ?? ''}: ${issue.message}`),
    );
  }
  const values = decoded.data;
  const problems: string[] = [];
  if (values.PORT !== 0 && values.PORT === values.OPS_PORT) {
    problems.push('OPS_PORT: wants a port other than PORT: the ops endpoints are not for visitors');
  }
  if (values.CONTENT && values.CONTENT_BASE_URL) {
    problems.push('CONTENT: wants to be left out where CONTENT_BASE_URL names a backend');
  }
  if (servesPages && values.NODE_ENV === 'production' && !values.CONTENT_BASE_URL && !values.CONTENT) {
    problems.push(
      'CONTENT_BASE_URL: wants the address of the CMS, because NODE_ENV is production. ' +
        'Set CONTENT_BASE_URL=https://cms.example.com, or CONTENT=embedded to serve the sample content',
    );
  }
  if (!values.CONTENT_BASE_URL && (values.CONTENT_TOKEN || Object.keys(values.CONTENT_HEADERS).length > 0)) {
    problems.push(
      'CONTENT_BASE_URL: wants the address of the backend that CONTENT_TOKEN or CONTENT_HEADERS is for',
    );
  }
  if (
    values.CONTENT_TOKEN &&
    Object.keys(values.CONTENT_HEADERS).some(name => name.toLowerCase() === 'authorization')
  ) {
    problems.push('CONTENT_HEADERS: wants no Authorization header while CONTENT_TOKEN is set');
  }
  const { PUBLIC_URL: publicUrl } = values;
  if (values.ALLOWED_HOSTS.length > 0 && (!publicUrl || publicUrl === 'any')) {
    problems.push("PUBLIC_URL: wants the site's own address: without it every host is served");
  } else if (servesPages && !publicUrl) {
    const reason = values.TRUST_PROXY
      ? 'TRUST_PROXY is set, and a proxy forwards any host that a visitor has made up'
      : values.NODE_ENV === 'production' && 'NODE_ENV is production';
    if (reason)
      problems.push(`PUBLIC_URL: wants the site's own address, because ${reason}. ${PUBLIC_URL_LINES}`);
  }
  if ((values.HSTS === 'subdomains' || values.HSTS === 'preload') && !publicUrl?.startsWith('https:')) {
    problems.push(`HSTS: wants PUBLIC_URL to be an https address with ${values.HSTS}`);
  }
  if (values.SECURITY_POLICY && values.SECURITY_CONTACT.length === 0) {
    problems.push('SECURITY_CONTACT: wants an address for reports, because SECURITY_POLICY is set');
  }
  if (!values.OUTBOX_URL && (values.OUTBOX_QUEUE || values.OUTBOX_TRUST)) {
    problems.push('OUTBOX_URL: wants the address of the queue that OUTBOX_QUEUE or OUTBOX_TRUST is for');
  }
  if (values.CDN_PURGE && values.CDN_PURGE.kind !== 'varnish' && !values.CDN_TOKEN)
    problems.push(
      `CDN_TOKEN: wants a token of ${values.CDN_PURGE.kind} that may purge, because CDN_PURGE names it`,
    );
  if (!values.CDN_PURGE && (values.CDN_TOKEN || values.CDN_API))
    problems.push('CDN_PURGE: wants the cache that CDN_TOKEN or CDN_API is for');
  if (servesPages && values.SUBSCRIBE_SECRET && (!publicUrl || publicUrl === 'any'))
    problems.push("PUBLIC_URL: wants the site's own address, for the links that SUBSCRIBE_SECRET signs");
  const webhookSecret = secretOf('WEBHOOK_SECRET', values, problems);
  const subscribeSecret = secretOf('SUBSCRIBE_SECRET', values, problems);
  const sharedSecret = secretOf('SHARED_SECRET', values, problems);
  const preview = previewOf(values, problems);
  if (problems.length > 0) throw new ConfigError(problems);

  return Object.freeze<Config>({
    isProduction: values.NODE_ENV === 'production',
    port: values.PORT,
    host: values.HOST,
    publicOrigin: publicUrl === 'any' ? null : (publicUrl ?? null),
    anyHost: publicUrl === 'any',
    allowedHosts: Object.freeze(values.ALLOWED_HOSTS),
    contentBaseUrl: values.CONTENT_BASE_URL ? backendBase(values.CONTENT_BASE_URL) : null,
    contentPublicUrl: values.CONTENT_PUBLIC_URL ? backendBase(values.CONTENT_PUBLIC_URL) : null,
    contentToken: values.CONTENT_TOKEN ?? null,
    contentHeaders: Object.freeze(values.CONTENT_HEADERS),
    contentTimeoutMs: values.CONTENT_TIMEOUT_MS,
    contentTtlMs: values.CONTENT_TTL_MS,
    staleIfErrorMs: values.STALE_IF_ERROR_MS,
    contentSweepMs: values.CONTENT_SWEEP_MS,
    contentWarm: values.CONTENT_WARM,
    pageCacheBytes: values.PAGE_CACHE_BYTES,
    webhookSecret,
    subscribeSecret,
    securityContact: Object.freeze(values.SECURITY_CONTACT),
    securityPolicy: values.SECURITY_POLICY ?? null,
    preview,
    opsPort: values.OPS_PORT,
    opsHost: values.OPS_HOST,
    opsHosts: Object.freeze(values.OPS_HOSTS),
    opsToken: values.OPS_TOKEN ?? null,
    dataDir: values.DATA_DIR,
    assetsDir: values.ASSETS_DIR ?? null,
    logLevel: values.LOG_LEVEL,
    accessLogLines: values.ACCESS_LOG_LINES,
    mediaOrigins: Object.freeze(values.MEDIA_ORIGINS),
    embedProviders: Object.freeze(values.EMBED_PROVIDERS),
    redirectHosts: values.REDIRECT_HOSTS ? Object.freeze(values.REDIRECT_HOSTS) : null,
    formRateLimit: values.FORM_RATE_LIMIT,
    deadLetterDays: values.DEAD_LETTER_DAYS,
    outboxQueue: queueConfig(values),
    mailDays: values.MAIL_DAYS,
    maxRenders: values.MAX_RENDERS,
    scriptsConsent: values.SCRIPTS_CONSENT,
    siteLocale: values.SITE_LOCALE,
    siteTimeZone: values.SITE_TIME_ZONE,
    siteCurrency: values.SITE_CURRENCY,
    siteIndexing: values.SITE_INDEXING,
    hsts: values.HSTS,
    deviceRefreshOnResize: values.DEVICE_REFRESH_ON_RESIZE,
    buildPollIntervalMs: values.BUILD_POLL_INTERVAL_MS,
    trustProxy: values.TRUST_PROXY,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    replicaId: values.REPLICA_ID ?? null,
    reusePort: values.REUSE_PORT,
    sharedStore: values.SHARED_URL ? Object.freeze(values.SHARED_URL) : null,
    sharedSecret,
    cdnPurge: values.CDN_PURGE ?? null,
    cdnToken: values.CDN_TOKEN ?? null,
    cdnApi: values.CDN_API ?? null,
    sharedPrefix: values.SHARED_PREFIX ?? null,
    devReload: values.DEV_RELOAD,
  });
}

type Values = z.infer<typeof environment>;

/** @returns a secret with its former value, which is accepted beside it during a rotation; null where the secret is not set. */
function secretOf(
  name: 'WEBHOOK_SECRET' | 'SUBSCRIBE_SECRET' | 'PREVIEW_SECRET' | 'SHARED_SECRET',
  values: Values,
  problems: string[],
): Secret | null {
  const current = values[name];
  const former = values[`${name}_OLD`];
  if (former && !current) problems.push(`${name}: wants the new secret, because ${name}_OLD is set`);
  return current ? Object.freeze<Secret>(former ? [current, former] : [current]) : null;
}

/** @returns the preview, which needs both a secret and a token; null where neither is set. */
function previewOf(values: Values, problems: string[]): PreviewConfig | null {
  const { PREVIEW_TOKEN: token, PREVIEW_FRAME_ORIGINS: frameOrigins } = values;
  const secret = secretOf('PREVIEW_SECRET', values, problems);
  if (secret && token)
    return Object.freeze({ secret, token, frameOrigins: Object.freeze(withLoopbackNames(frameOrigins)) });
  if (secret)
    problems.push('PREVIEW_TOKEN: wants the token that may read drafts, because PREVIEW_SECRET is set');
  else if (token || frameOrigins.length > 0)
    problems.push('PREVIEW_SECRET: wants at least 32 characters, because another PREVIEW_ variable is set');
  return null;
}

/** The names of this machine that may stand in a policy: no source of a policy is an IPv6 address. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1'];

/** @returns origins with both names of this machine where one of them is there. People open the panel of a CMS on their own machine by either. */
function withLoopbackNames(origins: readonly string[]): string[] {
  const both = origins.flatMap(origin => {
    const { protocol, hostname, port } = new URL(origin);
    if (!LOOPBACK_NAMES.includes(hostname)) return [origin];
    return [origin, ...LOOPBACK_NAMES.map(name => `${protocol}//${name}${port && `:${port}`}`)];
  });
  return [...new Set(both)];
}

/** @returns the backend's address without `/api`, which operators may include. Media addresses begin with the address without `/api`. */
function backendBase(url: URL): string {
  return url.origin + withoutTrailingSlashes(url.pathname).replace(/\/api$/, '');
}
