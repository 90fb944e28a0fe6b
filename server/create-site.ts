import os from 'node:os';
import path from 'node:path';
import { builtAssets, readBuildManifest } from './assets/built-assets.ts';
import { EarlierBuilds } from './assets/earlier-builds.ts';
import { openBackend } from './compose/backend.ts';
import { openChanges } from './compose/changes.ts';
import { openContent } from './compose/content.ts';
import { degradedChecks, gaugesOf, type Rooms } from './compose/gauges.ts';
import { openLinks } from './compose/links.ts';
import type { SiteOptions } from './compose/options.ts';
import { openPages } from './compose/pages.ts';
import { type Part, settledParts } from './compose/parts.ts';
import { createQueues } from './compose/queues.ts';
import { openStorage } from './compose/storage.ts';
import type { Config } from './config/config.ts';
import { Doctor } from './doctor/doctor.ts';
import { SITEMAP_LIMITS } from './endpoints/sitemap.ts';
import { REQUEST_DEADLINE_MS } from './http/limits/limits.ts';
import { withoutRequestId } from './http/request/request-scope.ts';
import { LastRequest } from './http/security/forwarded-headers.ts';
import { securityHeaders } from './http/security/security-headers.ts';
import { clientAddresses, servedHosts } from './http/security/served-hosts.ts';
import { createMetrics } from './ops/metrics/metrics.ts';
import { processFacts } from './ops/process/process-facts.ts';
import { createReadiness } from './ops/readiness.ts';
import { createRequestLines } from './ops/requests/access-log.ts';
import { messagePlaces, openOpsPage } from './ops-page/open-ops-page.ts';
import { createSiteOutbox } from './outbox/site-outbox.ts';
import { createContentWarming } from './page/produce/warm-content.ts';
import { traceAccepting, tracedDelivery, traceWork } from './tracing/traced-parts.ts';
import { Vitals } from './vitals/vitals.ts';

/** How long after the start the search index is read, in ms. A visitor's search reads it at once. */
const SEARCH_AFTER_MS = 1_000;

/** The parts of a process. Each module declares in its types which of them it uses. */
export type CreatedSite = ReturnType<typeof createSite>;

/** Creates the parts in order: a part may use earlier ones. Those in `parts` must be started and stopped. */
export function createSite(options: SiteOptions) {
  const { config, log, distDir, overrides = {}, tracing = null } = options;
  const manifest = readBuildManifest(distDir);
  const metrics = createMetrics({ build: manifest.id, replica: config.replicaId ?? '' }, usedParts(config));
  if (tracing) traceWork(metrics, tracing);
  const queues = createQueues(config, overrides);
  const storage = openStorage(options, metrics);
  const backend = openBackend(options, storage, metrics, manifest);
  const content = openContent(options, { metrics, queues, storage, backend });
  const pages = openPages(options, { metrics, queues, storage, backend, content }, manifest);
  const links = openLinks(options, { metrics, queues, storage, backend, content, pages });
  const changes = openChanges(options, { metrics, queues, storage, backend, content, pages, links });
  const { shared, diskHealth, disk, purges } = storage;
  const { sendEmail: plainSend } = content.content.api;
  const sendEmail = tracing ? tracedDelivery(plainSend, tracing) : plainSend;
  const outbox = createSiteOutbox({
    config,
    shared,
    metrics,
    overrides,
    queue: options.queue,
    sendEmail: (...email) => withoutRequestId(() => sendEmail(...email)),
    ...disk,
  });
  if (tracing) traceAccepting(outbox, tracing);
  const mayWarm = () => content.mayAsk() && diskHealth.state.isWritable && purges.mayRun;
  const contentWarming = createContentWarming(
    { ...pages, diskHealth },
    // Skip warming for the embedded backend: it runs in this process and cannot fail alone.
    backend.isEmbedded ? 0 : config.contentWarm,
    () => storage.spareTime().then(mayWarm),
    path.join(storage.backendFolder.dir, `warmed-${config.contentWarm}`),
  );
  const doctor = new Doctor({
    config,
    backend: backend.backend,
    content: content.content,
    spareTime: storage.spareTime,
    problems: () => content.problems.newest(Number.POSITIVE_INFINITY),
    log,
    fileOf: options.fileOf,
    mayRun: () => purges.mayRun,
  });
  const readiness = createReadiness(content.startUp, degradedChecks({ storage, backend, content, outbox }));
  const created = {
    metrics,
    queues,
    storage,
    backend,
    content,
    pages,
    links,
    changes,
    outbox,
    contentWarming,
    doctor,
    readiness,
  };
  metrics.observe(gaugesOf(options, created));
  const lastRequest = new LastRequest();
  const vitals = config.rum ? new Vitals({ ...pages, shared, metrics }) : null;
  const opsPage = openOpsPage({
    ...{ config, log, manifest, metrics, readiness, outbox, doctor, lastRequest, vitals },
    ...{ ...storage, ...backend, ...content, ...changes },
    messages: messagePlaces(options),
  });
  const headers = securityHeaders(config);
  const runningParts = [...partsOf(options, created, manifest.id), opsPage.part];
  return {
    ...storage,
    ...backend,
    ...content,
    ...pages,
    ...changes,
    links,
    outbox,
    contentWarming,
    doctor,
    readiness,
    opsPage: opsPage.handle,
    lastRequest,
    distDir,
    tracing,
    vitals,
    securityHeaders: headers,
    assets: builtAssets(distDir, headers, pages.pages.cacheStatus),
    servesHost: servedHosts(config),
    requestLines: createRequestLines(log, config.accessLogLines, clientAddresses(config)),
    requestDeadlineMs: overrides.requestDeadlineMs ?? REQUEST_DEADLINE_MS,
    sitemapLimits: overrides.sitemapLimits ?? SITEMAP_LIMITS,
    // Serve shared scripts only with a secret, which proves that a replica wrote them.
    earlierBuilds: new EarlierBuilds(config, config.sharedSecret && shared, disk),
    parts: runningParts,
    settled: () => settledParts(runningParts),
  };
}

function usedParts({ sharedStore, outboxQueue, cdnPurge, preview, rum }: Config): ReadonlySet<string> {
  const parts = {
    SHARED_URL: sharedStore,
    OUTBOX_URL: outboxQueue,
    CDN_PURGE: cdnPurge,
    PREVIEW_SECRET: preview,
    RUM: rum,
  };
  return new Set(Object.entries(parts).flatMap(([name, part]) => (part ? [name] : [])));
}

/** Lists the running parts in the order in which they begin. They stop in reverse order. */
function partsOf({ config, tracing }: SiteOptions, created: Rooms, build: string): readonly Part[] {
  const { storage, backend, content, pages, links, changes, outbox, contentWarming, doctor, readiness } =
    created;
  const { shared, replicas, purges, backendFolder } = storage;
  const { search } = pages;
  const { startUp } = content;
  replicas?.describe(() => ({
    replica: config.replicaId,
    build,
    state: readiness.state,
    ...processFacts(),
    host: os.hostname(),
    ops: `${config.opsHost}:${config.opsPort}`,
    leads: purges.isLeading,
    backend: content.backendState(),
    logPosition: purges.position,
    pages: pages.pages.size.positive,
  }));
  const written = [
    content.contentDisk,
    pages.pageDisk,
    storage.invalidationLog,
    content.negatives,
    content.totals,
  ];
  return [
    { stop: () => tracing?.stop() },
    { stop: () => shared?.stop() },
    ...[backend.backendBreaker, backend.mediaOrigins, backend.scaler, pages.refresher],
    { settled: () => Promise.all([...written, changes.cdnPurger].map(part => part?.settled())) },
    backendFolder,
    { begin: changes.followPurges, stop: () => purges.stop() },
    { begin: () => startUp.begin(), drain: () => startUp.stop(), stop: () => startUp.stop() },
    changes.contentSweep,
    { begin: () => readiness.begin(), stop: () => readiness.stop() },
    contentWarming,
    { begin: () => search.begin(SEARCH_AFTER_MS), stop: search.stop, settled: search.settled },
    outbox,
    { begin: () => doctor.begin(), drain: () => doctor.stop(), stop: () => doctor.stop() },
    links,
    { drain: () => links.stop() },
    // Stopped first: over the store's connection it tells the other replicas that this one has ended.
    { begin: () => replicas?.begin(), stop: () => replicas?.stop() },
  ];
}
