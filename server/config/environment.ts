// The variables. `npm run config:docs` writes `docs/configuration.md` and `.env.example` from this file.

import * as z from 'zod';
import {
  addressesForReports,
  currency,
  embedProviders,
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
  webhookKey,
  wholeNumber,
} from './config-values.ts';
import { cdnAddress, queueAddress, queueName, sharedAddress } from './server-addresses.ts';

declare module 'zod' {
  /** Further properties of a variable. `description` is Markdown with links relative to `docs/`. */
  interface GlobalMeta {
    /** When the variable is required, in words, such as with another variable. */
    needed?: string;
    /** The default in words, for a variable without a default in the schema. */
    unset?: string;
    /** The default in the container image, if it differs. */
    inImage?: string;
    /** A sample value for `.env.example`, for a variable without a default. */
    example?: string;
  }
}

const PUBLIC_URL_WANTS = 'wants an http(s) address without a path, such as https://www.example.com, or any';
const CMS_WANTS = 'wants an http(s) address, such as https://cms.example.com';
const COLLECTOR_WANTS = 'wants an http(s) address, such as http://127.0.0.1:4318';
const SHARE_WANTS = 'wants a number from 0 to 1';
const POLICY_WANTS = 'wants an https address';

const addresses = {
  NODE_ENV: z.string().optional().meta({
    description:
      'With `production` a start without `PUBLIC_URL` ends with exit code 1. So does one without `CONTENT_BASE_URL`, `CONTENT` or `CONTENT_DIR`.',
    inImage: 'production',
    example: 'production',
  }),
  PORT: port.default(3000).meta({ description: 'Port of the site. `0` picks a free one and prints it.' }),
  HOST: z.string().default('0.0.0.0').meta({ description: 'Address that the site listens on.' }),
  PUBLIC_URL: z
    .union([z.literal('any'), origin(PUBLIC_URL_WANTS)], PUBLIC_URL_WANTS)
    .optional()
    .meta({
      description:
        'Origin of absolute addresses. `any` serves every host by the same pages, which name no host. They have no canonical address, sitemap or feed, are `noindex`, and CDNs do not store them. Without the variable, hosts of this machine (`localhost`, `127.0.0.1`, `[::1]`, `*.localhost`) get absolute addresses, and other hosts are served as with `any`.',
      needed: '`NODE_ENV=production`, `TRUST_PROXY`, `SUBSCRIBE_SECRET` or `ALLOWED_HOSTS`',
      example: 'https://www.example.com',
    }),
  ALLOWED_HOSTS: hosts('www.example.com or 10.0.0.1:3000').default([]).meta({
    description:
      'Hosts that are served besides that of `PUBLIC_URL`, separated by commas. A request for any other host gets 421.',
    example: 'example.com,www.example.org',
  }),
  TRUST_PROXY: trustProxy.default(false).meta({
    description:
      'Number of proxies in front of the site, or their addresses. `loopback` stands for a proxy on the same machine. With `off` forwarded headers do not count, and the log warns of the first one.',
  }),
  HSTS: z
    .enum(['off', 'host', 'subdomains', 'preload'], 'wants one of off, host, subdomains, preload')
    .default('host')
    .meta({
      description:
        'Where `PUBLIC_URL` is https, browsers use HTTPS alone for a year. `host` promises it for this host, `subdomains` for all hosts below it, too. `preload` adds the permission for the preload lists of browsers. `off` promises nothing.',
    }),
};

const cms = {
  CONTENT_BASE_URL: httpUrl(CMS_WANTS).optional().meta({
    description: 'Address of the CMS, with or without `/api`.',
    needed: '`NODE_ENV=production`, unless `CONTENT` or `CONTENT_DIR` is set',
    unset: 'the sample content',
    example: 'https://cms.example.com',
  }),
  CONTENT: z.enum(['embedded'], 'wants embedded, or nothing').optional().meta({
    description: '`embedded` serves the files of `content/` with `NODE_ENV=production`, too.',
    example: 'embedded',
  }),
  CONTENT_DIR: z.string().optional().meta({
    description:
      'Folder of the files that the site serves without a CMS, with `NODE_ENV=production`, too. `npm run build`, `npm run dev` and `npm run cms` read it as well.',
    unset: '`content` beside `dist`',
    example: '/srv/content',
  }),
  CONTENT_TOKEN: token.optional().meta({
    description: 'Token of the CMS that may read. The site sends it as `Authorization: Bearer …`.',
    example: 'token-of-the-cms',
  }),
  CONTENT_HEADERS: headers.default({}).meta({
    description: 'Further headers for the CMS, as a JSON object.',
  }),
  CONTENT_PUBLIC_URL: httpUrl(CMS_WANTS).optional().meta({
    description:
      'Address under which editors reach the CMS, where it is another one. The site serves pictures and files that a text names with this address.',
    unset: 'that of `CONTENT_BASE_URL`',
    example: 'https://cms.example.com',
  }),
  CONTENT_TIMEOUT_MS: wholeNumber(1, 60_000, 'ms').default(2_500).meta({
    description:
      'Time for one call of the CMS with its retry. The delivery of a message has 30 s, because no visitor waits for it.',
  }),
  WEBHOOK_SECRET: secret(16).optional().meta({
    description:
      'Secret of `POST /webhooks/content`, at least 16 characters. Without it that address does not exist, and changes are shown within 15 s.',
    example: '16-characters-at-least',
  }),
  WEBHOOK_SECRET_OLD: secret(16).optional().meta({
    description:
      'Former `WEBHOOK_SECRET`, accepted beside it while the secret [is changed](runbook.md#a-secret-is-changed).',
  }),
  PROBLEMS_TOKEN: secret(16).optional().meta({
    description:
      'Bearer token of `GET /api/problems`. The panel of the CMS shows that: what the site left out, dead links, findings of the doctor. Without it that address does not exist.',
    example: '16-characters-at-least',
  }),
  CONTENT_SWEEP_MS: wholeNumber(0, 3_600_000, 'ms').default(12_000).meta({
    description:
      'Pause between two searches for changes of which no webhook has told: one light call for each content type. `0` turns them off.',
  }),
};

const previews = {
  PREVIEW_SECRET: secret(32).optional().meta({
    description:
      'The CMS shows it when it opens a preview, and it signs the cookie of the preview. At least 32 characters, the same in all processes. Without it there is no preview.',
    needed: 'another `PREVIEW_` variable',
    example: '32-characters-at-least-the-same-everywhere',
  }),
  PREVIEW_SECRET_OLD: secret(32).optional().meta({
    description: 'Former `PREVIEW_SECRET`, accepted beside it while the secret is changed.',
  }),
  PREVIEW_TOKEN: token.optional().meta({
    description: 'Token of the CMS that may read drafts.',
    needed: '`PREVIEW_SECRET`',
    example: 'token-of-the-cms-for-drafts',
  }),
  PREVIEW_FRAME_ORIGINS: origins('https://cms.example.com').default([]).meta({
    description:
      'Origins that may show a preview in a frame, separated by commas: that of the admin panel of the CMS. `localhost` and `127.0.0.1` stand for each other. Without it previews open in a tab.',
    example: 'https://cms.example.com',
  }),
  HISTORY_BYTES: wholeNumber(0, 68_719_476_736, 'bytes').default(268_435_456).meta({
    description:
      'Room in `DATA_DIR` for what the site has shown, for previews of a moment in the past. The oldest is removed first, and all 90 days after it was replaced. Without `PREVIEW_SECRET`, or with `0`, nothing is kept.',
  }),
};

const caches = {
  DATA_DIR: z.string().default('./data').meta({
    description:
      'The only folder that the site writes to. [The runbook](runbook.md#the-data-folder) lists what is in it. Keep it across deploys.',
    inImage: '/data',
  }),
  DATA_DIR_REQUIRED: onOff.default(false).meta({
    description:
      'With `on` a start whose `DATA_DIR` cannot be written ends with exit code 1. With `off` pages are answered, the log has an error, and `/readyz` says `degraded`.',
  }),
  ASSETS_DIR: z.string().optional().meta({
    description:
      'Folder for the scripts and styles of earlier builds, which open tabs and stale pages still need. They stay for 7 days after their last use, or `STALE_IF_ERROR_MS` if that is longer.',
    unset: '`assets` in `DATA_DIR`',
    example: '/var/lib/site/assets',
  }),
  CONTENT_TTL_MS: wholeNumber(0, 86_400_000, 'ms').default(60_000).meta({
    description:
      'How long pages and content are fresh. An older page is still answered at once, and revalidated in the background.',
  }),
  STALE_IF_ERROR_MS: wholeNumber(0, 31_536_000_000, 'ms').default(864_000_000).meta({
    description: 'How long after that they are served while the CMS fails. The default is 10 days.',
  }),
  CONTENT_WARM: wholeNumber(0, 1_000_000, 'addresses').default(5_000).meta({
    description:
      'Number of addresses in the sitemap, newest first, whose content is loaded before a visitor asks. They are then there while the CMS is down. At most five calls a second, in spare time. `0` turns it off.',
  }),
  PAGE_CACHE_BYTES: wholeNumber(0, 68_719_476_736, 'bytes').default(268_435_456).meta({
    description:
      'Memory for rendered pages. With `0` no page is stored. Decoded content gets three eighths as much, at least 24 MiB and at most 96.',
  }),
  DISK_CACHE_BYTES: wholeNumber(1_048_576, 1_099_511_627_776, 'bytes').default(536_870_912).meta({
    description:
      'Room in `DATA_DIR` for the pages of a build, and as much again for content. The least recently used is removed first. A page takes about 50 kB with its data.',
  }),
  MAX_RENDERS: wholeNumber(1, 10_000, 'pages').default(32).meta({
    description:
      'Pages that are made at a time, with their loading. Others wait in their order, for 5 s at most, and are then a 503. Stored pages are answered all the same.',
  }),
};

const forms = {
  SUBSCRIBE_SECRET: secret(32).optional().meta({
    description:
      'Signs the links by which subscribers confirm and leave (double opt-in). At least 32 characters, the same in all processes. Without it subscriptions are not confirmed. Another secret ends all links that were sent, unless the former one stays beside it.',
    example: '32-characters-at-least-the-same-everywhere',
  }),
  SUBSCRIBE_SECRET_OLD: secret(32).optional().meta({
    description: 'Former `SUBSCRIBE_SECRET`: links that it has signed go on working.',
  }),
  FORM_WEBHOOK_URL: httpUrl('an http or https address').optional().meta({
    description:
      'Each message of a form is posted here as well, signed as [Standard Webhooks](https://www.standardwebhooks.com). The type is `form.contact`, `form.subscribe` or `form.page-form`.',
    example: 'https://hooks.example.com/forms',
  }),
  FORM_WEBHOOK_SECRET: webhookKey.optional().meta({
    description: 'Signs these posts: `whsec_` and 24 to 64 bytes in Base64.',
    needed: '`FORM_WEBHOOK_URL`',
    example: 'whsec_MzItY2hhcmFjdGVycy1hdC1sZWFzdC1mb3IteW91',
  }),
  FORM_RATE_LIMIT: wholeNumber(1, 1_000_000, 'posts from one IP address in ten minutes').default(30).meta({
    description: 'Form posts from one address (IPv6: one /56) in ten minutes.',
  }),
  FORM_ORIGINS: origins('https://static.example.com').default([]).meta({
    description:
      'Other origins whose pages may post forms here, separated by commas: those of a static export. A browser that posts from elsewhere gets a 403.',
    example: 'https://static.example.com',
  }),
  DEAD_LETTER_DAYS: wholeNumber(1, 3_650, 'days').default(30).meta({
    description: 'How long a message that could not be delivered is kept.',
  }),
  MAIL_DAYS: wholeNumber(1, 3_650, 'days').default(30).meta({
    description: 'How long messages are kept in `mail` of `DATA_DIR`, where no CMS is configured.',
  }),
};

const pages = {
  SITE_LOCALE: locale.default('en-GB').meta({
    description:
      'Language of the interface, and form of dates and numbers (BCP 47): English, German, or Arabic, which runs from right to left. `language`, `timeZone` and `currency` of the settings in the CMS count more than these three variables. With German `Müller` becomes `mueller` in addresses that are made from names, and the former address leads there. The settings do not change addresses.',
  }),
  SITE_TIME_ZONE: timeZone.default('UTC').meta({
    description: 'Time zone of dates (IANA), such as `Europe/Berlin`.',
  }),
  SITE_CURRENCY: currency.default('USD').meta({
    description: 'Currency of the amounts on the landing page (ISO 4217).',
  }),
  SITE_INDEXING: onOff.default(true).meta({
    description:
      'With `off`, for staging, `robots.txt` disallows everything and every answer says `noindex`.',
  }),
  MEDIA_ORIGINS: origins('https://media.example.com').default([]).meta({
    description: 'Origins besides the CMS from which content may show media, separated by commas.',
    example: 'https://media.example.com',
  }),
  EMBED_PROVIDERS: embedProviders.meta({
    description:
      'Services whose films pages play after a click, separated by commas: `youtube`, `vimeo`, `dailymotion`, and others by a name, the addresses of their pages and that of their player, such as `PeerTube https://tube.example.com/w/{id} https://tube.example.com/videos/embed/{id}`. With `off` films are links.',
    unset: '`youtube,vimeo`',
    example: 'youtube,vimeo',
  }),
  REDIRECT_HOSTS: hosts('shop.example.com').optional().meta({
    description:
      "Hosts besides the site's own that redirects of the content may lead to, separated by commas. A row that leads to another host is left out, and the log names it.",
    unset: 'any host',
    example: 'shop.example.com',
  }),
  SCRIPTS_CONSENT: onOff.default(true).meta({
    description:
      "Scripts of other origins wait for the visitor's consent. With `off` they are in the document.",
  }),
  DEVICE_REFRESH_ON_RESIZE: onOff.default(false).meta({
    description: 'With `on`, device flags are computed again 50 ms after a resize.',
  }),
  RUM: onOff.default(true).meta({
    description:
      'Browsers report views of pages, the host that linked to them, and [web vitals](runbook.md#what-visitors-get), without anything of the visitor. `off` turns the reports and `POST /vitals` off.',
  }),
  BUILD_POLL_INTERVAL_MS: wholeNumber(1_000, 86_400_000, 'ms').default(3_600_000).meta({
    description: 'How often an open page asks for a new build.',
  }),
};

const operation = {
  OPS_PORT: port.default(9464).meta({
    description:
      "Port of [the ops page](runbook.md#the-ops-page), `/healthz`, `/readyz`, `/doctor` and `/metrics`. The site's own port answers `/livez`, `/healthz` and `/readyz` with one word.",
  }),
  OPS_HOST: z.string().default('127.0.0.1').meta({
    description: 'Address that the ops port listens on.',
    inImage: '0.0.0.0',
  }),
  OPS_HOSTS: hosts('site or ops.internal:9464').default([]).meta({
    description:
      'Names under which the ops port answers besides `localhost` and addresses, separated by commas. Another name is a 421, but for probes and requests with `OPS_TOKEN`.',
    example: 'ops.internal:9464',
  }),
  OPS_TOKEN: secret(16).optional().meta({
    description:
      'Bearer token of `/metrics` and `/doctor` for other machines; without it only this machine gets them. Also the token of `GET /cache`, which lists problems of the content and stored pages, `DELETE /cache?tag=…`, which purges them, and `POST /cache?accept=…` and `?restore=…`, which decide about a type that has lost its entries. Operators sign in with it on [the ops page](runbook.md#the-ops-page), `GET /`, for addresses, ids and buttons. Without it these do not exist.',
    example: '16-characters-at-least',
  }),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'wants one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info')
    .meta({ description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' }),
  ACCESS_LOG_LINES: wholeNumber(0, 1_000_000, 'lines').default(100).meta({
    description:
      'Log entries for requests that one address may have in a second. One entry a second counts the others, and 500 and above are never left out. `0` writes all.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl(COLLECTOR_WANTS).optional().meta({
    description:
      'Collector that gets [traces](runbook.md#traces) by OTLP over HTTP as JSON, at `/v1/traces` below this address. Without it there are none, and their packages are not loaded. The packages read other variables of OpenTelemetry for the exporter themselves, such as `OTEL_EXPORTER_OTLP_HEADERS`.',
    example: 'http://127.0.0.1:4318',
  }),
  OTEL_SERVICE_NAME: z.string().default('site').meta({ description: 'Name of the site in traces.' }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number(SHARE_WANTS)
    .min(0, SHARE_WANTS)
    .max(1, SHARE_WANTS)
    .default(1)
    .meta({
      description:
        'Share of the traces that are sent, from `0` to `1`. A trusted proxy that sends `traceparent` decides for its requests.',
    }),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000, 'ms').default(0).meta({
    description:
      'How long the process goes on serving after SIGTERM or SIGINT while `/readyz` is 503, so that load balancers notice. A second signal ends the delay.',
    inImage: '4000',
  }),
  SECURITY_CONTACT: addressesForReports.default([]).meta({
    description:
      'Addresses for reports of vulnerabilities, the best first, separated by commas. `/.well-known/security.txt` names them; without the variable that address does not exist.',
    needed: '`SECURITY_POLICY`',
    example: 'mailto:security@example.com',
  }),
  SECURITY_POLICY: z
    .string()
    .regex(/^https:\/\/\S+$/, POLICY_WANTS)
    .optional()
    .meta({
      description: 'https address of the policy for such reports, named in the same file.',
      example: 'https://www.example.com/security',
    }),
};

const replicas = {
  REPLICA_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'wants a name of letters, digits, dots, hyphens and underscores, 64 at most')
    .optional()
    .meta({
      description:
        'Name of this process among others, such as that of its pod. Each log entry then has it and the build as `replica` and `build`, `Cache-Status` has both, and `site_build_info` has the label `replica`.',
      example: 'site-1',
    }),
  REUSE_PORT: onOff.default(false).meta({
    description:
      'With `on`, several processes listen on one port, and the system spreads connections over them: one process for each core, each with its own `OPS_PORT`. They may have one `DATA_DIR`.',
  }),
  SHARED_URL: sharedAddress.optional().meta({
    description:
      'Redis 7 or Valkey that replicas share: `redis://user:password@host:6379/0`, `rediss:` with TLS (`NODE_EXTRA_CA_CERTS` for an authority of your own), or `redis+sentinel://one:26379,two:26379/group`, with `?sentinelPassword=` if they have one. Set its `maxmemory-policy` to `volatile-lru`. Without it each process is alone.',
    example: 'redis://user:password@10.0.0.5:6379/0',
  }),
  SHARED_SECRET: secret(32).optional().meta({
    description:
      'Proves what replicas write to that store. At least 32 characters, the same in all replicas. Without it a warning says that who can write to the store can change pages, and assets of other builds are not taken from it.',
    example: '32-characters-at-least-the-same-everywhere',
  }),
  SHARED_SECRET_OLD: secret(32).optional().meta({
    description: 'Former `SHARED_SECRET`: what it has proven still counts.',
  }),
  SHARED_PREFIX: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'wants letters, digits, dots, colons, hyphens and underscores, 64 at most')
    .optional()
    .meta({
      description: 'Beginning of all keys of this site in that store, the same in all replicas.',
      unset: 'made from the address of the CMS',
      example: 'corridor',
    }),
  OUTBOX_URL: queueAddress.optional().meta({
    description:
      'Queue by which replicas share the delivery of messages: `redis://user:password@host:6379/0`, `rediss:` with TLS, the same with Sentinels as for `SHARED_URL`, or `postgres://user:password@host:5432/database` (13 or later; the tables are made in the schema `bullmq`). A Redis needs `maxmemory-policy noeviction`, so it is another one than that of `SHARED_URL`.',
    needed: '`OUTBOX_QUEUE` or `OUTBOX_TRUST`',
    example: 'postgres://user:password@10.0.0.6:5432/site',
  }),
  OUTBOX_QUEUE: queueName.optional().meta({
    description: 'Name of the queue. Sites that share a server need different names.',
    unset: '`outbox-` and the host of `PUBLIC_URL`',
    example: 'outbox-www.example.com',
  }),
  OUTBOX_TRUST: onOff.default(false).meta({
    description: 'With `on` a Redis is used that does not tell its `maxmemory-policy`.',
  }),
};

const cdn = {
  CDN_PURGE: cdnAddress.optional().meta({
    description:
      'CDN that the site purges by surrogate key after each change: `varnish:http://10.0.0.1:6081,http://10.0.0.2:6081` (with `deploy/varnish.vcl`), `fastly:SERVICE_ID` or `cloudflare:ZONE_ID`. [scaling.md](scaling.md) tells more.',
    needed: '`CDN_TOKEN` or `CDN_API`',
    example: 'fastly:SERVICE_ID',
  }),
  CDN_TOKEN: token.optional().meta({
    description: "Token of the vendor's API that may purge. Varnish gets it as a bearer token.",
    needed: '`CDN_PURGE` of Fastly or Cloudflare',
    example: 'token-of-the-vendor',
  }),
  CDN_API: origin('wants an http(s) address without a path, such as https://api.fastly.com').optional().meta({
    description: "Another address of the vendor's API.",
    unset: "the vendor's own",
    example: 'https://api.fastly.com',
  }),
};

/** The variables in the order of `docs/configuration.md`. */
export const SECTIONS = {
  'Addresses and hosts': addresses,
  CMS: cms,
  Previews: previews,
  'Caches and disk': caches,
  Forms: forms,
  Pages: pages,
  Operation: operation,
  Replicas: replicas,
  CDN: cdn,
};

export const environment = z.object({
  ...addresses,
  ...cms,
  ...previews,
  ...caches,
  ...forms,
  ...pages,
  ...operation,
  ...replicas,
  ...cdn,
  /** Set by `npm run dev` only. */
  DEV_RELOAD: onOff.default(false),
});

export type Values = z.infer<typeof environment>;
