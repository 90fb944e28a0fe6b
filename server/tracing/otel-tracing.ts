// The only file that imports the packages of OpenTelemetry. It is loaded only if OTEL_EXPORTER_OTLP_ENDPOINT
// is set, and bundled separately, so it keeps no state that other files share.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener, ServerResponse } from 'node:http';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { within } from '../cache/within.ts';
import type { Config } from '../config/config.ts';
import type { RequestScope } from '../http/request/request-scope.ts';
import type { TrustsProxy } from '../http/security/served-hosts.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { Condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';

export type Attributes = Readonly<Record<string, string | number>>;

interface SpanOptions {
  isCall?: boolean;
  /** The key under which the span is remembered for `follows`. */
  notes?: string;
  /** The key of an earlier span. The work gets a new trace, which links to that span if it is known. */
  follows?: string;
}

interface TracingOptions {
  readonly config: Pick<Config, 'replicaId'>;
  readonly traces: NonNullable<Config['traces']>;
  readonly build: string;
  readonly trusts: TrustsProxy;
  readonly log: Logger;
}

const STOP_LIMIT_MS = 1_000;
/** Limit for spans remembered for `follows`, such as the one that has accepted a message to deliver. */
const MAX_NOTED = 1_000;

/** The span around the current work. Work that goes on after the span has ended starts a new trace. */
interface Active {
  readonly context: Context;
  isOpen: boolean;
}

/** Spans for the work behind responses. Cache hits have none. */
export class OtelTracing {
  readonly #active = new AsyncLocalStorage<Active>();
  readonly #noted = boundedMap<SpanContext>(MAX_NOTED);
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #trusts: TrustsProxy;

  constructor({ config, traces, build, trusts, log }: TracingOptions) {
    const { endpoint, service, share } = traces;
    const instance = config.replicaId === null ? {} : { 'service.instance.id': config.replicaId };
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service, 'service.version': build, ...instance }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanProcessors: [new BatchSpanProcessor({ exporter: loggedExporter(endpoint, log) })],
    });
    this.#tracer = this.#provider.getTracer('site');
    this.#trusts = trusts;
  }

  /** Wraps the application. Its requests get a span, and a trace id in their scope and log entries. */
  requests(app: RequestListener): RequestListener {
    return (req, res: ServerResponse & { locals?: { scope: RequestScope } }) => {
      const { locals } = res;
      if (!locals) return app(req, res);
      const { scope } = locals;
      const { method = '', url = '', headers, socket } = req;
      const isTrusted = this.#trusts(socket.remoteAddress ?? '', 0);
      const parent = isTrusted
        ? this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
        : ROOT_CONTEXT;
      const attributes = { 'http.request.method': method, 'url.path': url.split('?', 1)[0] ?? '' };
      const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      const { traceId } = span.spanContext();
      locals.scope = { ...scope, traceId, log: scope.log.child({ trace_id: traceId }) };
      const active: Active = { context: trace.setSpan(parent, span), isOpen: true };
      res.once('close', () => {
        const { route, pageCache } = scope.trace;
        if (route !== null) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
        if (pageCache !== null) span.setAttribute('site.page_cache', pageCache);
        span.setAttributes({ 'http.response.status_code': res.statusCode, 'site.request_id': scope.id });
        if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        active.isOpen = false;
        span.end();
      });
      this.#active.run(active, () => app(req, res));
    };
  }

  /** Runs work in a span, as a child of the current span. */
  async span<T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T>,
    { isCall = false, notes, follows }: SpanOptions = {},
  ): Promise<T> {
    const parent = follows === undefined ? this.#context() : ROOT_CONTEXT;
    const followed = this.#noted.get(follows ?? '');
    const kind = isCall ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const links = followed ? [{ context: followed }] : [];
    const span = this.#tracer.startSpan(name, { kind, attributes, links }, parent);
    if (notes !== undefined) this.#noted.set(notes, span.spanContext());
    const active: Active = { context: trace.setSpan(parent, span), isOpen: true };
    try {
      return await this.#active.run(active, work);
    } catch (error) {
      noteError(span, error);
      throw error;
    } finally {
      active.isOpen = false;
      span.end();
    }
  }

  ended(name: string, attributes: Attributes, ms: number): void {
    // Skip work outside of traces, such as the heartbeats of replicas.
    if (!this.#active.getStore()?.isOpen) return;
    const startTime = Date.now() - ms;
    this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime }, this.#context()).end();
  }

  /** The headers that hand the current trace to a server called now (W3C Trace Context). */
  headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    this.#propagator.inject(this.#context(), headers, defaultTextMapSetter);
    return headers;
  }

  async stop(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => {});
    await within(STOP_LIMIT_MS, sent);
  }

  #context(): Context {
    const active = this.#active.getStore();
    return active?.isOpen ? active.context : ROOT_CONTEXT;
  }
}

/** Records an error's kind and the CMS's status, but no message, which could repeat words of visitors. */
function noteError(span: Span, error: unknown): void {
  if (!(error instanceof Error)) return;
  const { kind = error.name, status = null } = error as Error & { kind?: unknown; status?: unknown };
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(kind));
  if (typeof status === 'number') span.setAttribute('http.response.status_code', status);
}

function loggedExporter(endpoint: string, log: Logger): SpanExporter {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const collector = new Condition(log, {
    code: 'traces',
    down: 'traces: the collector takes no spans, which are dropped. Answers are as before',
    up: 'traces: the collector takes spans again',
    remedy:
      'check that OTEL_EXPORTER_OTLP_ENDPOINT is an address of OTLP over HTTP, which usually has the port 4318',
    level: 'warn',
  });
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, result => {
        if (result.code === ExportResultCode.SUCCESS) collector.up();
        else collector.down({ endpoint, reason: result.error?.message });
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
