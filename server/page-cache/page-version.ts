import { createHash } from 'node:crypto';
import { type Config, publicConfig } from '../config.ts';

/** The format of page records. Raise it when a record is built in another way. */
const FORMAT = 2;

/**
 * @param buildId the id of the build that renders.
 * @returns the version of the pages on disk: the build, and a digest of the configuration that pages and their headers contain. Pages of
 *   another version must not be served.
 */
export function pageVersion(buildId: string, config: Config): string {
  const { publicOrigin, mediaOrigins, contentTtlMs, staleIfErrorMs, scriptsConsent } = config;
  const written = {
    format: FORMAT,
    publicOrigin,
    mediaOrigins,
    contentTtlMs,
    staleIfErrorMs,
    scriptsConsent,
    ...publicConfig(config, []),
  };
  return `${buildId}-${createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 16)}`;
}
