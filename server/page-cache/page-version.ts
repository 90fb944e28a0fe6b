import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { publicConfig } from '../http/public-config.ts';

/** The version of page records. Raise it when they change. */
const FORMAT = 6;

export function pageVersion(buildId: string, config: Config): string {
  const written = [
    FORMAT,
    config.publicOrigin,
    config.mediaOrigins,
    config.embedProviders,
    config.contentTtlMs,
    config.staleIfErrorMs,
    config.scriptsConsent,
    config.siteLocale,
    config.siteTimeZone,
    config.siteCurrency,
    publicConfig(config, null),
  ];
  return `${buildId}-${createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 16)}`;
}

/** Limit for folders of this build with another configuration, such as another PUBLIC_URL. */
const MAX_OTHERS_OF_THIS_BUILD = 1;
const MAX_OF_LAST_BUILD = 2;

/** Keeps the versions of the last two builds, for a rollback in an outage. `others`: last used first. */
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
