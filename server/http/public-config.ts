import type { PageData } from '../../shared/payload/page-data.ts';
import type { Config } from '../config/config.ts';

/** The configuration that pages pass to the browser. */
export function publicConfig(
  { buildPollIntervalMs, deviceRefreshOnResize, rum }: Config,
  consentScripts: readonly string[],
  preview: PageData['config']['preview'] | null = null,
): PageData['config'] {
  return {
    ...(consentScripts.length > 0 ? { consentScripts } : {}),
    ...(preview ? { preview } : {}),
    buildPollIntervalMs,
    ...(deviceRefreshOnResize ? { deviceRefreshOnResize: true } : {}),
    ...(rum ? {} : { vitals: false }),
  };
}
