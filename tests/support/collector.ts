import { createServer } from 'node:http';
import { close, listen } from './listen.ts';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
}

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly traceId: string }[];
  readonly status: { readonly code: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

/** The body of an export (OTLP 1, `ExportTraceServiceRequest` as JSON). */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

export interface CollectedSpan extends Omit<SentSpan, 'attributes' | 'links'> {
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The traces that the span links to. */
  readonly links: readonly string[];
  readonly resource: Readonly<Record<string, string | number>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** The status of further answers. */
  status: number;
  close(): Promise<void>;
}

/** Starts a collector of OTLP over HTTP as JSON, on a real socket. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    const isExport = req.method === 'POST' && req.url === '/v1/traces';
    const status = isExport ? collector.status : 404;
    if (status === 200) spans.push(...spansOf(JSON.parse(body) as Export));
    res.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
  });
  const collector = { url: await listen(server), spans, status: 200, close: () => close(server) };
  return collector;
}

function spansOf({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(scope => scope.spans)
      .map(span => ({
        ...span,
        attributes: valuesOf(span.attributes),
        links: span.links.map(({ traceId }) => traceId),
        resource: valuesOf(resource.attributes),
      })),
  );
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']),
  );
}
