import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Config, ConfigError, readConfig } from '../../server/config/config.ts';
import { parseSharedAddress } from '../../server/config/server-addresses.ts';
import { publicConfig } from '../../server/http/public-config.ts';
import { CONFIG_DEFAULTS as DEFAULTS } from '../support/config-defaults.ts';

/** Other variables that a rule requires together with the tested one. */
const BESIDES: Record<string, Record<string, string>> = {
  CONTENT_TOKEN: { CONTENT_BASE_URL: 'https://cms.example.com' },
  CONTENT_HEADERS: { CONTENT_BASE_URL: 'https://cms.example.com' },
  ALLOWED_HOSTS: { PUBLIC_URL: 'https://www.example.com' },
  TRUST_PROXY: { PUBLIC_URL: 'https://www.example.com' },
};

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('readConfig', () => {
  it('readConfig returns the defaults for an empty environment', () => {
    expect(readConfig({})).toEqual(DEFAULTS);
  });

  it('readConfig treats an empty variable as unset', () => {
    const names = [
      'CDN_PURGE CDN_TOKEN CDN_API OTEL_EXPORTER_OTLP_ENDPOINT',
      'PORT HOST PUBLIC_URL CONTENT CONTENT_TOKEN_FILE DATA_DIR_REQUIRED CONTENT_DIR CONTENT_BASE_URL CONTENT_TOKEN CONTENT_HEADERS',
      'CONTENT_TIMEOUT_MS CONTENT_TTL_MS CONTENT_PUBLIC_URL CONTENT_SWEEP_MS CONTENT_WARM OPS_PORT OPS_HOST DATA_DIR OPS_HOSTS',
      'ASSETS_DIR LOG_LEVEL ACCESS_LOG_LINES MAIL_DAYS SECURITY_CONTACT SECURITY_POLICY ALLOWED_HOSTS',
      'REDIRECT_HOSTS MAX_RENDERS SCRIPTS_CONSENT MEDIA_ORIGINS SITE_INDEXING HSTS',
      'RUM DEVICE_REFRESH_ON_RESIZE BUILD_POLL_INTERVAL_MS TRUST_PROXY DEV_RELOAD STALE_IF_ERROR_MS',
      'PAGE_CACHE_BYTES DISK_CACHE_BYTES WEBHOOK_SECRET PROBLEMS_TOKEN OPS_TOKEN FORM_RATE_LIMIT FORM_ORIGINS FORM_WEBHOOK_URL DEAD_LETTER_DAYS',
      'SHUTDOWN_DELAY_MS REPLICA_ID REUSE_PORT NODE_ENV PREVIEW_SECRET HISTORY_BYTES',
      'EMBED_PROVIDERS SHARED_URL SHARED_PREFIX SHARED_SECRET OUTBOX_URL SUBSCRIBE_SECRET SITE_LOCALE SITE_TIME_ZONE SITE_CURRENCY',
    ].flatMap(line => line.split(' '));
    expect(names).toHaveLength(Object.keys(DEFAULTS).length);
    expect(readConfig(Object.fromEntries(names.map(name => [name, ''])))).toEqual(DEFAULTS);
    expect(readConfig(Object.fromEntries(names.map(name => [name, undefined])))).toEqual(DEFAULTS);
  });

  it('readConfig ignores variables of other programs', () => {
    expect(readConfig({ PATH: '/bin', port: '1', NODE_ENV: 'x' })).toEqual(DEFAULTS);
  });

  it('readConfig reads the environment of the process', () => {
    vi.stubEnv('PORT', '4321').stubEnv('CONTENT', 'embedded').stubEnv('PUBLIC_URL', 'any');
    expect(readConfig().port).toBe(4321);
  });
});

describe('a valid variable', () => {
  it.each<[string, string, Partial<Config>]>([
    ['PORT', '8080', { port: 8080 }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '::1', { host: '::1' }],
    ['PUBLIC_URL', 'https://www.example.com', { publicOrigin: 'https://www.example.com' }],
    ['PUBLIC_URL', 'https://www.example.com/', { publicOrigin: 'https://www.example.com' }],
    ['PUBLIC_URL', 'HTTP://Example.com:8080', { publicOrigin: 'http://example.com:8080' }],
    ['PUBLIC_URL', 'https://example.com:443', { publicOrigin: 'https://example.com' }],
    ['CONTENT_BASE_URL', 'https://cms.example.com', { contentBaseUrl: 'https://cms.example.com' }],
    ['CONTENT_BASE_URL', 'https://cms.example.com/', { contentBaseUrl: 'https://cms.example.com' }],
    ['CONTENT_BASE_URL', 'https://cms.example.com/api', { contentBaseUrl: 'https://cms.example.com' }],
    ['CONTENT_BASE_URL', 'https://cms.example.com/api//', { contentBaseUrl: 'https://cms.example.com' }],
    ['CONTENT_BASE_URL', 'https://example.com/cms/api/', { contentBaseUrl: 'https://example.com/cms' }],
    ['CONTENT_BASE_URL', 'https://a.example/graph-api', { contentBaseUrl: 'https://a.example/graph-api' }],
    ['CONTENT_PUBLIC_URL', 'https://example.com/cms/api/', { contentPublicUrl: 'https://example.com/cms' }],
    ['CONTENT_BASE_URL', 'http://127.0.0.1:1337', { contentBaseUrl: 'http://127.0.0.1:1337' }],
    ['CONTENT_TOKEN', 'abc.DEF_123-~+/=', { contentToken: 'abc.DEF_123-~+/=' }],
    ['CONTENT_HEADERS', '{}', { contentHeaders: {} }],
    ['CONTENT_HEADERS', '{"X-Site":"main","x-b":""}', { contentHeaders: { 'X-Site': 'main', 'x-b': '' } }],
    ['CONTENT_TIMEOUT_MS', '1', { contentTimeoutMs: 1 }],
    ['CONTENT_TIMEOUT_MS', '60000', { contentTimeoutMs: 60_000 }],
    ['CONTENT_TTL_MS', '0', { contentTtlMs: 0 }],
    ['CONTENT_TTL_MS', '86400000', { contentTtlMs: 86_400_000 }],
    ['FORM_RATE_LIMIT', '1', { formRateLimit: 1 }],
    ['DEAD_LETTER_DAYS', '7', { deadLetterDays: 7 }],
    ['OPS_PORT', '9000', { opsPort: 9000 }],
    ['OPS_PORT', '0', { opsPort: 0 }],
    ['OPS_HOST', '0.0.0.0', { opsHost: '0.0.0.0' }],
    ['OPS_HOSTS', 'Site, ops.internal:9464', { opsHosts: ['site', 'ops.internal:9464'] }],
    ['CONTENT_DIR', '/srv/content', { contentDir: '/srv/content' }],
    ['DATA_DIR', '/var/lib/site', { dataDir: '/var/lib/site' }],
    ['ASSETS_DIR', '/var/lib/assets', { assetsDir: '/var/lib/assets' }],
    ...(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map(
      (logLevel): [string, string, Partial<Config>] => ['LOG_LEVEL', logLevel, { logLevel }],
    ),
    ['MEDIA_ORIGINS', 'https://a.example', { mediaOrigins: ['https://a.example'] }],
    [
      'MEDIA_ORIGINS',
      ' https://A.example/ ,, http://b.example:81 ,',
      { mediaOrigins: ['https://a.example', 'http://b.example:81'] },
    ],
    [
      'ALLOWED_HOSTS',
      'Example.com, 10.0.0.1:3000,[::1]',
      { allowedHosts: ['example.com', '10.0.0.1:3000', '[::1]'] },
    ],
    ['MAX_RENDERS', '1', { maxRenders: 1 }],
    ['MAX_RENDERS', '10000', { maxRenders: 10_000 }],
    ['SCRIPTS_CONSENT', 'off', { scriptsConsent: false }],
    ['SITE_LOCALE', 'de-AT', { siteLocale: 'de-AT' }],
    ['SITE_TIME_ZONE', 'Europe/Berlin', { siteTimeZone: 'Europe/Berlin' }],
    ['SITE_INDEXING', 'off', { siteIndexing: false }],
    ['SITE_INDEXING', 'on', { siteIndexing: true }],
    ['DEVICE_REFRESH_ON_RESIZE', 'on', { deviceRefreshOnResize: true }],
    ['DEVICE_REFRESH_ON_RESIZE', 'off', { deviceRefreshOnResize: false }],
    ['BUILD_POLL_INTERVAL_MS', '1000', { buildPollIntervalMs: 1_000 }],
    ['BUILD_POLL_INTERVAL_MS', '86400000', { buildPollIntervalMs: 86_400_000 }],
    ['TRUST_PROXY', 'off', { trustProxy: false }],
    ['TRUST_PROXY', '0', { trustProxy: 0 }],
    ['TRUST_PROXY', '2', { trustProxy: 2 }],
    ['TRUST_PROXY', '10.0.0.1', { trustProxy: '10.0.0.1' }],
    ['TRUST_PROXY', 'loopback, linklocal,uniquelocal', { trustProxy: 'loopback, linklocal, uniquelocal' }],
    ['TRUST_PROXY', ' 10.0.0.0/8 ,fc00::/7,::1', { trustProxy: '10.0.0.0/8, fc00::/7, ::1' }],
    ['SHUTDOWN_DELAY_MS', '4000', { shutdownDelayMs: 4_000 }],
    ['REPLICA_ID', 'eu-1.b_2', { replicaId: 'eu-1.b_2' }],
    ['REUSE_PORT', 'on', { reusePort: true }],
    ['SHUTDOWN_DELAY_MS', '600000', { shutdownDelayMs: 600_000 }],
    ['SHARED_URL', 'redis://127.0.0.1', { sharedStore: parseSharedAddress('redis://127.0.0.1:6379/0') }],
    ['SHARED_PREFIX', 'site:a_1.b-2', { sharedPrefix: 'site:a_1.b-2' }],
    ['DEV_RELOAD', 'on', { devReload: true }],
    ['DEV_RELOAD', 'off', { devReload: false }],
  ])('a valid variable is accepted: %s=%s', (name, value, expected) => {
    const config = readConfig({ ...BESIDES[name], [name]: value });
    expect(config).toMatchObject(expected);
    for (const [key, got] of Object.entries(expected)) expect(config[key as keyof Config]).toEqual(got);
  });
});

describe('an invalid variable', () => {
  const URL_WANTED = 'wants an http(s) address, such as https://cms.example.com';
  const PUBLIC_WANTED = 'wants an http(s) address without a path, such as https://www.example.com, or any';
  const ORIGINS_WANTED = 'wants origins such as https://media.example.com, separated by commas';
  const HEADERS_WANTED = 'wants a JSON object of header names and text values';
  const LEVELS_WANTED = 'wants one of fatal, error, warn, info, debug, trace, silent';
  const PROXY_WANTED = 'wants off, a number of proxies, or a list of their addresses';
  const PORT_WANTED = 'wants a whole number (a port; 0 picks a free one)';
  const MS_WANTED = 'wants a whole number (ms)';

  const table: [string, string, readonly string[]][] = [
    ['PORT', PORT_WANTED, ['http', '80.5', '-1', ' 80', '0x50', '1e3']],
    ['PORT', 'wants at most 65535', ['65536', '99999999999999999999']],
    [
      'PUBLIC_URL',
      PUBLIC_WANTED,
      ['www.example.com', 'https://example.com/shop', 'https://example.com/?a=b'],
    ],
    [
      'PUBLIC_URL',
      PUBLIC_WANTED,
      ['https://example.com/#a', 'ftp://example.com', 'https://me:pw@example.com', '/'],
    ],
    [
      'CONTENT_BASE_URL',
      URL_WANTED,
      ['cms.example.com', 'ftp://cms.example.com', 'https://me:pw@cms.example.com'],
    ],
    ['CONTENT_BASE_URL', URL_WANTED, ['javascript:alert(1)', 'https://', 'cms']],
    ['CONTENT_PUBLIC_URL', URL_WANTED, ['javascript:alert(1)', 'cms']],
    ['CONTENT_TOKEN', 'wants a token without spaces', ['a b', 'a\nb', 'é']],
    [
      'CONTENT_HEADERS',
      HEADERS_WANTED,
      ['X-Site: main', '[]', 'null', '"a"', '{"a":1}', '{"a":null}', '{"a b":"c"}'],
    ],
    [
      'CONTENT_HEADERS',
      HEADERS_WANTED,
      ['{"a:":"c"}', '{"":"c"}', '{"a":"c\\r\\nd"}', '{"a":"é"}', '{"a":"b"'],
    ],
    ['CONTENT_TIMEOUT_MS', MS_WANTED, ['2.5', 'fast', '1s', '-5']],
    ['CONTENT_TIMEOUT_MS', 'wants at least 1', ['0']],
    ['FORM_RATE_LIMIT', 'wants at least 1', ['0']],
    [
      'FORM_RATE_LIMIT',
      'wants a whole number (posts from one IP address in ten minutes)',
      ['-1', 'many', '1.5'],
    ],
    ['DEAD_LETTER_DAYS', 'wants at least 1', ['0']],
    ['DEAD_LETTER_DAYS', 'wants at most 3650', ['3651']],
    ['CONTENT_TIMEOUT_MS', 'wants at most 60000', ['60001']],
    ['CONTENT_TTL_MS', MS_WANTED, ['never', '-1']],
    ['CONTENT_TTL_MS', 'wants at most 86400000', ['86400001']],
    ['OPS_PORT', PORT_WANTED, ['ops']],
    ['OPS_PORT', 'wants at most 65535', ['70000']],
    ['LOG_LEVEL', LEVELS_WANTED, ['verbose', 'INFO', '30']],
    [
      'MEDIA_ORIGINS',
      ORIGINS_WANTED,
      ['media.example.com', 'https://a.example/path', 'https://a.example,b', '*'],
    ],
    [
      'ALLOWED_HOSTS',
      'wants hosts such as www.example.com or 10.0.0.1:3000, separated by commas',
      ['https://example.com', 'example.com/shop', '*', '*.example.com', 'a b'],
    ],
    ['MAX_RENDERS', 'wants at least 1', ['0']],
    ['MAX_RENDERS', 'wants a whole number (pages)', ['many', '-1']],
    ['SCRIPTS_CONSENT', 'wants on or off', ['no']],
    [
      'SITE_LOCALE',
      'wants a locale whose language has a catalogue (en, de, ar), such as en-GB',
      ['fr', 'german', 'de_DE', '-'],
    ],
    ['SITE_TIME_ZONE', 'wants a time zone of the IANA database, such as Europe/Berlin', ['Berlin', '+']],
    ['SITE_CURRENCY', 'wants the three letters of a currency (ISO 4217), such as USD', ['$', 'eur', 'EURO']],
    ['SITE_INDEXING', 'wants on or off', ['true', 'yes', '1', 'ON']],
    ['DEVICE_REFRESH_ON_RESIZE', 'wants on or off', ['false', '0']],
    ['BUILD_POLL_INTERVAL_MS', MS_WANTED, ['1h']],
    ['BUILD_POLL_INTERVAL_MS', 'wants at least 1000', ['999', '0']],
    ['BUILD_POLL_INTERVAL_MS', 'wants at most 86400000', ['86400001']],
    // Express would refuse these values only after the start, without naming the variable.
    [
      'TRUST_PROXY',
      PROXY_WANTED,
      ['on', 'true', 'yes', '1.5', '-1', 'proxy.example', '10.0.0', '10.0.0.256'],
    ],
    [
      'TRUST_PROXY',
      PROXY_WANTED,
      ['10.0.0.0/33', '10.0.0.0/0', '::/129', '10.0.0.0/8/8', '10.0.0.1,', 'loopback/8', '*'],
    ],
    ['SHUTDOWN_DELAY_MS', MS_WANTED, ['4s', '-1', '0.5']],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'wants an http(s) address, such as http://127.0.0.1:4318',
      ['collector:4318'],
    ],
    ['OTEL_TRACES_SAMPLER_ARG', 'wants a number from 0 to 1', ['-0.1', '1.1', 'half']],
    [
      'REPLICA_ID',
      'wants a name of letters, digits, dots, hyphens and underscores, 64 at most',
      ['a b', 'a/b', '"', 'x'.repeat(65)],
    ],
    ['SHUTDOWN_DELAY_MS', 'wants at most 600000', ['600001']],
    [
      'SHARED_URL',
      'wants an address such as redis://host:6379, rediss://user:password@host:6379/0 or redis+sentinel://one:26379,two:26379/group',
      [
        '127.0.0.1:6379',
        'http://127.0.0.1',
        'redis://',
        'redis://a,b',
        'redis+sentinel://a:1,b:2',
        'redis://a/x',
      ],
    ],
    [
      'SHARED_PREFIX',
      'wants letters, digits, dots, colons, hyphens and underscores, 64 at most',
      ['a b', '{a}', 'x'.repeat(65)],
    ],
    ['CONTENT', 'wants embedded, or nothing', ['sample', 'on', 'EMBEDDED']],
    ['DEV_RELOAD', 'wants on or off', ['maybe']],
  ];

  it.each(table.flatMap(([name, wants, values]) => values.map(value => [name, value, wants] as const)))(
    'an invalid variable is refused with its name and the accepted values: %s=%j',
    (name, value, wants) => {
      expect(problemsOf({ ...BESIDES[name], [name]: value })).toEqual([`${name}: ${wants}`]);
    },
  );

  it('the refusal of a variable omits its value, which may be a secret', () => {
    const env = { CONTENT_BASE_URL: 'https://cms.example.com', CONTENT_TOKEN: 'top secret' };
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).not.toThrow('secret');
  });
});

describe('several mistakes', () => {
  it('several invalid variables are all reported at once', () => {
    const env = {
      PORT: 'x',
      PUBLIC_URL: 'example.com',
      TRUST_PROXY: 'yes',
      CONTENT_BASE_URL: 'cms',
      CONTENT_HEADERS: '{',
      MEDIA_ORIGINS: 'a, https://b.example',
      LOG_LEVEL: 'loud',
      DEV_RELOAD: '1',
    };
    const problems = problemsOf(env);
    expect(problems.map(problem => problem.split(':')[0])).toEqual(Object.keys(env));
  });

  it('a configuration error lists each invalid variable on one line', () => {
    expect(new ConfigError(problemsOf({ PORT: 'x', LOG_LEVEL: 'silly' })).message).toBe(
      'The configuration cannot be used:\n' +
        '  PORT: wants a whole number (a port; 0 picks a free one)\n' +
        '  LOG_LEVEL: wants one of fatal, error, warn, info, debug, trace, silent',
    );
  });

  it('broken rules between several variables are reported at once', () => {
    const env = {
      PORT: '9000',
      OPS_PORT: '9000',
      CONTENT_TOKEN: 'abc',
      CONTENT_HEADERS: '{"authorization":"x"}',
    };
    expect(problemsOf(env).map(problem => problem.split(':')[0])).toEqual([
      'OPS_PORT',
      'CONTENT_BASE_URL',
      'CONTENT_HEADERS',
    ]);
  });
});

describe('variables that depend on each other', () => {
  const PORTS = 'OPS_PORT: wants a port other than PORT: the ops endpoints are not for visitors';
  const BASE =
    'CONTENT_BASE_URL: wants the address of the backend that CONTENT_TOKEN or CONTENT_HEADERS is for';
  const HEADER = 'CONTENT_HEADERS: wants no Authorization header while CONTENT_TOKEN is set';
  const PUBLIC_URL = 'https://www.example.com';
  const CONTENT_BASE_URL = 'https://cms.example.com';
  const PRODUCTION =
    'CONTENT_BASE_URL: wants the address of the CMS, because NODE_ENV is production. ' +
    'Set CONTENT_BASE_URL=https://cms.example.com, or CONTENT=embedded to serve the sample content';
  const EMBEDDED = 'CONTENT: wants to be left out where CONTENT_BASE_URL names a backend';

  it.each<[Record<string, string>, string[]]>([
    [{ PORT: '8080', OPS_PORT: '8080' }, [PORTS]],
    [{ PORT: '9464' }, [PORTS]],
    [{ OPS_PORT: '3000' }, [PORTS]],
    [{ PORT: '0', OPS_PORT: '0' }, []],
    [{ CONTENT_TOKEN: 'abc' }, [BASE]],
    [{ CONTENT_HEADERS: '{"a":"b"}' }, [BASE]],
    [{ CONTENT_HEADERS: '{}' }, []],
    [{ CONTENT_TOKEN: 'abc', CONTENT_BASE_URL: '' }, [BASE]],
    [{ CONTENT_TOKEN: 'abc', CONTENT_BASE_URL }, []],
    [{ CONTENT_TOKEN: 'abc', CONTENT_BASE_URL, CONTENT_HEADERS: '{"Authorization":"x"}' }, [HEADER]],
    [{ CONTENT_TOKEN: 'abc', CONTENT_BASE_URL, CONTENT_HEADERS: '{"AUTHORIZATION":"x"}' }, [HEADER]],
    [{ CONTENT_BASE_URL, CONTENT_HEADERS: '{"Authorization":"Basic x"}' }, []],
    [{ NODE_ENV: 'production', PUBLIC_URL }, [PRODUCTION]],
    [{ NODE_ENV: 'production', PUBLIC_URL, CONTENT_BASE_URL: '', CONTENT: '' }, [PRODUCTION]],
    [{ NODE_ENV: 'production', PUBLIC_URL, CONTENT_BASE_URL }, []],
    [{ NODE_ENV: 'production', PUBLIC_URL, CONTENT: 'embedded' }, []],
    [{ NODE_ENV: 'production', PUBLIC_URL, CONTENT_DIR: '/srv/content' }, []],
    [{ CONTENT_DIR: '/srv/content', CONTENT_BASE_URL }, []],
    [{ NODE_ENV: 'development' }, []],
    [{ CONTENT: 'embedded' }, []],
    [{ CONTENT: 'embedded', CONTENT_BASE_URL }, [EMBEDDED]],
  ])('rules between variables are checked: %j', (env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });
});

describe('the configuration', () => {
  it('the configuration is deeply frozen', () => {
    const config = readConfig({
      CONTENT_BASE_URL: 'https://cms.example.com',
      CONTENT_HEADERS: '{"a":"b"}',
      MEDIA_ORIGINS: 'https://a.example',
    });
    for (const value of [config, config.contentHeaders, config.mediaOrigins, readConfig({}).contentHeaders]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.contentHeaders, { a: 'c' })).toThrow(TypeError);
  });

  it('the browser gets only the public values of the configuration', () => {
    const config = readConfig({
      CONTENT_BASE_URL: 'https://cms.example.com',
      CONTENT_TOKEN: 'secret',
      BUILD_POLL_INTERVAL_MS: '5000',
      DEVICE_REFRESH_ON_RESIZE: 'on',
    });
    expect(publicConfig(config, null)).toEqual({ buildPollIntervalMs: 5_000, deviceRefreshOnResize: true });
    expect(publicConfig(config, { scripts: ['https://a.example/a.js'], purposes: [] })).toHaveProperty(
      'consent',
    );
    expect(publicConfig({ ...config, rum: false }, null)).toHaveProperty('vitals', false);
  });
});

it('readConfig reads the endpoint of traces and the share that is sampled', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/otlp/', OTEL_TRACES_SAMPLER_ARG: '0.5' };
  const traces = { endpoint: 'http://collector:4318/otlp', service: 'site', share: 0.5 };
  expect(readConfig(env)).toEqual({ ...DEFAULTS, traces });
});
