import { withoutTrailingSlashes } from '../../shared/routing/trailing-slashes.ts';
import { problemsOf } from './config-rules.ts';
import { HOST } from './config-values.ts';
import { loadEnvFile } from './env-file.ts';
import { environment, type Values } from './environment.ts';
import { queueConfig } from './server-addresses.ts';
import { setVariables, type UnknownVariable, unknownVariables, type Variables } from './variables.ts';

export { HOST };

/** The current secret, which signs, and former ones, which are still accepted during a rotation. */
export type Secret = readonly [current: string, ...former: string[]];

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * An empty variable counts as unset. `servesPages` is false for a command that needs no content.
 * @throws ConfigError with all wrong variables. Variables are compared only if each is valid.
 */
export function readConfig(env: Variables = withEnvFile(), { servesPages = true } = {}): Config {
  const fileProblems: string[] = [];
  const set = setVariables(env, fileProblems);
  if (fileProblems.length > 0) throw new ConfigError(fileProblems);
  // Turn off zod's compiler, which costs more time than it saves in a single call.
  const decoded = environment.safeParse(set, { jitless: true });
  if (!decoded.success) {
    throw new ConfigError(
      decoded.error.issues.map(issue => `${issue.path[0]?.toString() ?? ''}: ${issue.message}`),
    );
  }
  const values = decoded.data;
  const problems = problemsOf(values, servesPages);
  const config = configOf(values, problems, unknownVariables(set));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function withEnvFile(): Variables {
  loadEnvFile(process.env);
  return process.env;
}

/** The decoded configuration. Only `readConfig` reads the variables; `environment.ts` describes them. */
export type Config = ReturnType<typeof configOf>;

function configOf(values: Values, problems: string[], unknown: readonly UnknownVariable[]) {
  return Object.freeze({
    isProduction: values.NODE_ENV === 'production',
    port: values.PORT,
    host: values.HOST,
    /** Null without PUBLIC_URL, or if it is `any`. See `siteOrigins` for browsers on this machine. */
    publicOrigin: values.PUBLIC_URL === 'any' ? null : (values.PUBLIC_URL ?? null),
    anyHost: values.PUBLIC_URL === 'any',
    allowedHosts: Object.freeze(values.ALLOWED_HOSTS),
    /** The backend's address without `/api`; null for the embedded backend. */
    contentBaseUrl: values.CONTENT_BASE_URL ? backendBase(values.CONTENT_BASE_URL) : null,
    contentPublicUrl: values.CONTENT_PUBLIC_URL ? backendBase(values.CONTENT_PUBLIC_URL) : null,
    contentDir: values.CONTENT_DIR ?? null,
    contentToken: values.CONTENT_TOKEN ?? null,
    contentHeaders: Object.freeze(values.CONTENT_HEADERS),
    contentTimeoutMs: values.CONTENT_TIMEOUT_MS,
    contentTtlMs: values.CONTENT_TTL_MS,
    staleIfErrorMs: values.STALE_IF_ERROR_MS,
    contentSweepMs: values.CONTENT_SWEEP_MS,
    contentWarm: values.CONTENT_WARM,
    pageCacheBytes: values.PAGE_CACHE_BYTES,
    diskCacheBytes: values.DISK_CACHE_BYTES,
    webhookSecret: secretOf('WEBHOOK_SECRET', values, problems),
    problemsToken: values.PROBLEMS_TOKEN ?? null,
    subscribeSecret: secretOf('SUBSCRIBE_SECRET', values, problems),
    securityContact: Object.freeze(values.SECURITY_CONTACT),
    securityPolicy: values.SECURITY_POLICY ?? null,
    preview: previewOf(values, problems),
    historyBytes: values.HISTORY_BYTES,
    opsPort: values.OPS_PORT,
    opsHost: values.OPS_HOST,
    opsHosts: Object.freeze(values.OPS_HOSTS),
    opsToken: values.OPS_TOKEN ?? null,
    dataDir: values.DATA_DIR,
    dataDirRequired: values.DATA_DIR_REQUIRED,
    assetsDir: values.ASSETS_DIR ?? null,
    logLevel: values.LOG_LEVEL,
    traces: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? Object.freeze({
          endpoint: withoutTrailingSlashes(values.OTEL_EXPORTER_OTLP_ENDPOINT.href),
          service: values.OTEL_SERVICE_NAME,
          share: values.OTEL_TRACES_SAMPLER_ARG,
        })
      : null,
    accessLogLines: values.ACCESS_LOG_LINES,
    mediaOrigins: Object.freeze(values.MEDIA_ORIGINS),
    embedProviders: Object.freeze(values.EMBED_PROVIDERS),
    redirectHosts: values.REDIRECT_HOSTS ? Object.freeze(values.REDIRECT_HOSTS) : null,
    formRateLimit: values.FORM_RATE_LIMIT,
    formWebhook:
      values.FORM_WEBHOOK_URL && values.FORM_WEBHOOK_SECRET
        ? Object.freeze({ url: values.FORM_WEBHOOK_URL.href, secret: values.FORM_WEBHOOK_SECRET })
        : null,
    formOrigins: Object.freeze(values.FORM_ORIGINS),
    deadLetterDays: values.DEAD_LETTER_DAYS,
    /** The queue; null if each process delivers the messages of its own data folder. */
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
    rum: values.RUM,
    buildPollIntervalMs: values.BUILD_POLL_INTERVAL_MS,
    trustProxy: values.TRUST_PROXY,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    replicaId: values.REPLICA_ID ?? null,
    reusePort: values.REUSE_PORT,
    sharedStore: values.SHARED_URL ? Object.freeze(values.SHARED_URL) : null,
    sharedSecret: secretOf('SHARED_SECRET', values, problems),
    cdnPurge: values.CDN_PURGE ?? null,
    cdnToken: values.CDN_TOKEN ?? null,
    cdnApi: values.CDN_API ?? null,
    /** The prefix of shared keys; null for a prefix made from the backend's address. */
    sharedPrefix: values.SHARED_PREFIX ?? null,
    devReload: values.DEV_RELOAD,
    unknownVariables: Object.freeze(unknown),
  });
}

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

function previewOf(values: Values, problems: string[]) {
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

/** Names of this machine without IPv6, because a Content-Security-Policy cannot contain IPv6 addresses. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1'];

/** Adds both loopback names if one is present, because people open a local CMS by either. */
function withLoopbackNames(origins: readonly string[]): string[] {
  const both = origins.flatMap(origin => {
    const { protocol, hostname, port } = new URL(origin);
    if (!LOOPBACK_NAMES.includes(hostname)) return [origin];
    return [origin, ...LOOPBACK_NAMES.map(name => `${protocol}//${name}${port && `:${port}`}`)];
  });
  return [...new Set(both)];
}

/** Removes `/api`, which operators may include. Addresses of media files do not contain it. */
function backendBase(url: URL): string {
  return url.origin + withoutTrailingSlashes(url.pathname).replace(/\/api$/, '');
}
