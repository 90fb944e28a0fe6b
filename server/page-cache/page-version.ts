import { createHash } from 'node:crypto';
import { type Config, publicConfig } from '../config.ts';

/** Of the files: another one whenever what is in them is put together in another way. */
const FORMAT = 2;

/**
 * @param buildId of the build that renders.
 * @returns the version of pages kept on disk: the build, and a digest of what of the configuration is written into a page or
 * its headers. Pages of another version are not to be served.
 */
export function pageVersion(buildId: string, config: Config): string {
  const { mediaOrigins, contentTtlMs, staleIfErrorMs, scriptsConsent } = config;
  const written = {
    format: FORMAT,
    mediaOrigins,
    contentTtlMs,
    staleIfErrorMs,
    scriptsConsent,
    ...publicConfig(config, []),
  };
  return `${buildId}-${createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 16)}`;
}
