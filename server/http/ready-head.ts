import {
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { KEEP_ALIVE_MS } from './limits/limits.ts';

export type Fields = readonly (readonly [name: string, value: string])[];

/** The text of the headers in Node's response. `end` sends it with the body (docs/upgrading.md). */
interface RawResponse {
  _header: string | null;
}

const KEPT_OPEN = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1_000}\r\n\r\n`;
/** Headers that a ready head keeps if they were set before. */
const KEPT = ['Connection', 'Server-Timing', 'X-Request-Id'] as const;
const KEPT_NAMES: ReadonlySet<string> = new Set(KEPT.map(name => name.toLowerCase()));

export function headLines(fields: Fields): string {
  for (const [name, value] of fields) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

export function fieldsOf(lines: string): Fields {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .map(line => {
      const end = line.indexOf(': ');
      return [line.slice(0, end), line.slice(end + 2)];
    });
}

/** Writes prepared header lines without Node's checks. Removes headers that were set earlier, except KEPT. */
export function writeReadyHead(
  { httpVersionMinor }: IncomingMessage,
  res: ServerResponse,
  status: number,
  lines: string,
): void {
  if (res.shouldKeepAlive && httpVersionMinor === 1 && !res.hasHeader('Connection')) {
    res.statusCode = status;
    (res as unknown as RawResponse)._header =
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}${keptLines(res)}${dateLine()}${KEPT_OPEN}`;
    return;
  }
  for (const name of res.getHeaderNames()) if (!KEPT_NAMES.has(name)) res.removeHeader(name);
  res.writeHead(status, fieldsOf(lines).flat());
}

function keptLines(res: ServerResponse): string {
  const kept = KEPT.filter(name => res.hasHeader(name));
  return headLines(kept.map(name => [name, String(res.getHeader(name))]));
}

export function headBytes(res: ServerResponse): number {
  return (res as unknown as RawResponse)._header?.length ?? 0;
}

let dateMs = Number.NaN;
let dateText = '';

function dateLine(): string {
  const now = Date.now();
  if (!(now >= dateMs && now < dateMs + 1_000)) {
    dateMs = now - (now % 1_000);
    dateText = `Date: ${new Date(dateMs).toUTCString()}\r\n`;
  }
  return dateText;
}
