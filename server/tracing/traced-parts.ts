import type { BackendClient } from '../backend/backend-client.ts';
import type { Config } from '../config/config.ts';
import type { ContentApi } from '../content/requests/content-api.ts';
import { trustedProxies } from '../http/security/served-hosts.ts';
import type { Logger } from '../ops/log.ts';
import type { HistogramName, Metrics } from '../ops/metrics/metrics.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { messageId } from '../outbox/outbox-files.ts';
import type { SharedStoreOptions } from '../shared-store/shared-store.ts';
import type { Attributes, OtelTracing } from './otel-tracing.ts';

/** Loads the packages of OpenTelemetry only where traces are wanted. @returns null where they are not. */
export async function openTracing(
  config: Pick<Config, 'traces' | 'trustProxy' | 'replicaId'>,
  build: string,
  log: Logger,
): Promise<OtelTracing | null> {
  const { traces } = config;
  if (traces === null) return null;
  const { OtelTracing } = await import('./otel-tracing.ts');
  return new OtelTracing({ config, traces, build, trusts: trustedProxies(config), log });
}

/** The name of probes, for the CMS's connections and for the shared store. They belong to no request. */
const PROBES = 'probe';

export function tracedClient(client: BackendClient, tracing: OtelTracing): BackendClient {
  const { host } = new URL(client.baseUrl);
  function traced<T>(method: string, address: string, call: () => Promise<T>, name?: string): Promise<T> {
    const path = address.split('?', 1)[0] ?? '';
    const attributes = { 'http.request.method': method, 'server.address': host, 'url.path': path };
    return tracing.span(`${method} ${name ?? path}`, attributes, call, { isCall: true });
  }
  return {
    baseUrl: client.baseUrl,
    getJson: (address, signal, connections) => {
      const call = () => client.getJson(address, signal, connections);
      return connections === PROBES ? call() : traced('GET', address, call);
    },
    postJson: (path, ...rest) => traced('POST', path, () => client.postJson(path, ...rest)),
    getFile: (path, ...rest) => traced('GET', path, () => client.getFile(path, ...rest), 'file'),
  };
}

const WORK: Readonly<Partial<Record<HistogramName, string>>> = {
  site_render_duration_seconds: 'render',
  site_compress_duration_seconds: 'compress',
  site_scale_duration_seconds: 'scale',
};

export function traceWork(metrics: Pick<Metrics, 'timed'>, tracing: OtelTracing): void {
  const { timed } = metrics;
  metrics.timed = (name, work, values) => {
    const span = WORK[name];
    const run = () => timed(name, work, values);
    return span === undefined ? run() : tracing.span(span, {}, run);
  };
}

type OnCall = NonNullable<SharedStoreOptions['onCall']>;

/** Adds a span to each command for the shared store, except the probes of its connection. */
export function tracedStore(called: OnCall, tracing: OtelTracing): OnCall {
  return (op, outcome, ms) => {
    called(op, outcome, ms);
    if (op !== PROBES) tracing.ended(`store ${op}`, { 'site.outcome': outcome }, ms);
  };
}

export function traceAccepting(outbox: Outbox, tracing: OtelTracing): void {
  const accept = outbox.accept.bind(outbox);
  outbox.accept = (message, key, earlierKey) =>
    tracing.span('accept message', aboutMessage(key), () => accept(message, key, earlierKey), { notes: key });
}

type SendEmail = ContentApi['sendEmail'];

/** Gives each delivery a trace. It links to the request for the message, if this process has accepted it. */
export function tracedDelivery(sendEmail: SendEmail, tracing: OtelTracing): SendEmail {
  return (message, signal, options) => {
    const key = options?.idempotencyKey ?? '';
    const send = () => sendEmail(message, signal, options);
    return tracing.span('deliver message', aboutMessage(key), send, { follows: key });
  };
}

function aboutMessage(key: string): Attributes {
  return { 'messaging.message.id': messageId(key) };
}
