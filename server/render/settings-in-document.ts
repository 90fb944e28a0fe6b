import type { Settings } from '../../shared/content/settings.ts';
import type { PageData } from '../../shared/payload/page-data.ts';
import type { Config } from '../config/config.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import { contentSecurityPolicy, foreignOrigins } from '../http/security/content-security-policy.ts';
import { boundedMap, remembered } from '../ops/bounded-map.ts';

export interface SettingsInDocument {
  customCss: readonly string[];
  scripts: readonly string[];
  consent: PageData['config']['consent'] | null;
  /** The Content-Security-Policy for the custom CSS and scripts; null if there are neither. */
  policy: string | null;
}

const NOTHING: SettingsInDocument = { customCss: [], scripts: [], consent: null, policy: null };

export type ReadSettingsInDocument = ReturnType<typeof createSettingsInDocument>;

/** Limit for results: a few versions of the settings for each origin. */
const MAX_RESULTS = 100;

/** Stores results, so that all stored pages share one string of the policy. */
export function createSettingsInDocument(config: Config) {
  const results = boundedMap<SettingsInDocument>(MAX_RESULTS);
  return (settings: Settings | null, version: string, origin: SiteOrigin): SettingsInDocument => {
    if (!settings) return NOTHING;
    return remembered(results, `${version} ${origin}`, () => readSettings(config, settings, origin));
  };
}

function readSettings(
  config: Config,
  { customCss, scripts, scriptsConsent }: Settings,
  origin: SiteOrigin,
): SettingsInDocument {
  if (customCss.length === 0 && scripts.length === 0) return NOTHING;
  const waitsForConsent = (address: string) =>
    config.scriptsConsent && foreignOrigins([address], origin).length > 0;
  const waiting = scripts.filter(waitsForConsent);
  return {
    customCss,
    scripts: scripts.filter(address => !waitsForConsent(address)),
    consent: waiting.length > 0 ? { scripts: waiting, purposes: scriptsConsent } : null,
    policy: contentSecurityPolicy(config, { styles: customCss, scripts, origin }),
  };
}
