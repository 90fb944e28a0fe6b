import { text } from 'node:stream/consumers';
import { createHttpCall, type HttpRequest } from '../backend/http-call.ts';
import type { Config } from '../config.ts';

/** An answer of the running site. */
export interface SiteAnswer {
  /** Null without a connection. */
  readonly status: number | null;
  /** The status, or the code of a failed connection. */
  readonly reason: string;
  /** The answer as JSON; null for another answer. */
  readonly body: unknown;
}

/** @returns the address under which visitors and the CMS reach the site, or that of this machine. */
export function siteAddress({ publicOrigin, port }: Pick<Config, 'publicOrigin' | 'port'>): string {
  return publicOrigin ?? `http://localhost:${port}`;
}

/** Asks the running site. Does not reject. */
export async function askSite(
  { contentTimeoutMs }: Pick<Config, 'contentTimeoutMs'>,
  address: string,
  request: Omit<HttpRequest, 'signal'> = { headers: {} },
): Promise<SiteAnswer> {
  const call = createHttpCall(1);
  try {
    const { status, body } = await call(address, {
      ...request,
      signal: AbortSignal.timeout(contentTimeoutMs),
    });
    return { status, reason: String(status), body: jsonOf(await text(body)) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { status: null, reason: code, body: null };
  }
}

function jsonOf(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}
