import { LRUCache } from 'lru-cache';
import type { Settings } from '../../shared/content/settings.ts';
import type { Config } from '../config.ts';
import { contentSecurityPolicy, foreignOrigins } from '../http/content-security-policy.ts';
import type { SiteOrigin } from '../http/request-origin.ts';

/** Addresses of the stylesheets and scripts that the settings add to every document, in order. */
export interface SettingsInDocument {
  customCss: readonly string[];
  /** Scripts in the document itself. */
  scripts: readonly string[];
  /** Scripts that wait for the visitor's consent. */
  consentScripts: readonly string[];
  /** The policy that allows these stylesheets and scripts; null when the site's own policy is enough. */
  policy: string | null;
}

const NOTHING: SettingsInDocument = { customCss: [], scripts: [], consentScripts: [], policy: null };

/** @returns the part of a document that comes from the settings. @param version of the settings. */
export type ReadSettingsInDocument = (
  settings: Settings | null,
  version: string,
  origin: SiteOrigin,
) => SettingsInDocument;

/** The limit of results in memory: enough for a few versions of the settings for each origin. */
const MAX_RESULTS = 100;

/** @returns a function that remembers its results by version and origin, so that all stored pages share one string of the policy. */
export function createSettingsInDocument(config: Config): ReadSettingsInDocument {
  const results = new LRUCache<string, SettingsInDocument>({ max: MAX_RESULTS });
  return (settings, version, origin) => {
    if (!settings) return NOTHING;
    const key = `${version} ${origin}`;
    const known = results.get(key);
    if (known) return known;
    const result = readSettings(config, settings, origin);
    results.set(key, result);
    return result;
  };
}

function readSettings(
  config: Config,
  { customCss, scripts }: Settings,
  origin: SiteOrigin,
): SettingsInDocument {
  if (customCss.length === 0 && scripts.length === 0) return NOTHING;
  const waitsForConsent = (address: string) =>
    config.scriptsConsent && foreignOrigins([address], origin).length > 0;
  return {
    customCss,
    scripts: scripts.filter(address => !waitsForConsent(address)),
    consentScripts: scripts.filter(waitsForConsent),
    policy: contentSecurityPolicy(config, { styles: customCss, scripts, origin }),
  };
}
