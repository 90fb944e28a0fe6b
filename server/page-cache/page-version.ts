import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import { publicConfig } from '../http/public-config.ts';

/** The format of page records. Raise it when a record is built in another way. */
const FORMAT = 4;

/**
 * @param buildId the id of the build that renders.
 * @returns the version of the pages on disk: the build, and a digest of the configuration that pages and their headers contain. Pages of
 *   another version must not be served.
 */
export function pageVersion(buildId: string, config: Config): string {
  const { publicOrigin, mediaOrigins, embedProviders, contentTtlMs, staleIfErrorMs, scriptsConsent } = config;
  const { siteLocale, siteTimeZone, siteCurrency } = config;
  const written = {
    format: FORMAT,
    publicOrigin,
    mediaOrigins,
    embedProviders,
    contentTtlMs,
    staleIfErrorMs,
    scriptsConsent,
    siteLocale,
    siteTimeZone,
    siteCurrency,
    ...publicConfig(config, []),
  };
  return `${buildId}-${createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 16)}`;
}

/** Most folders of the running build besides its own: pages with another configuration, such as another PUBLIC_URL. */
const MAX_OTHERS_OF_THIS_BUILD = 1;
/** Most folders of the build before. */
const MAX_OF_LAST_BUILD = 2;

/**
 * Chooses the versions whose pages stay on disk: those of the last two builds, so that a roll-back during an outage finds the pages that
 * its build has rendered. The number of folders bounds the space, because each folder is bounded in bytes.
 *
 * @param others all other versions, the one used last first.
 */
export function keptPageVersions(version: string, others: readonly string[]): readonly string[] {
  const build = buildOf(version);
  const ofThisBuild = others.filter(other => buildOf(other) === build);
  const ofOtherBuilds = others.filter(other => buildOf(other) !== build);
  const lastBuild = buildOf(ofOtherBuilds[0] ?? '');
  return [
    ...ofThisBuild.slice(0, MAX_OTHERS_OF_THIS_BUILD),
    ...ofOtherBuilds.filter(other => buildOf(other) === lastBuild).slice(0, MAX_OF_LAST_BUILD),
  ];
}

function buildOf(version: string): string {
  return version.slice(0, version.lastIndexOf('-'));
}
