import { LRUCache } from 'lru-cache';
import type { Settings } from '../../shared/content/settings.ts';
import type { Config } from '../config.ts';
import { contentSecurityPolicy, foreignOrigins } from '../http/content-security-policy.ts';

/** The stylesheets and scripts of the settings in every document, as addresses in their order. */
export interface SettingsInDocument {
  customCss: readonly string[];
  /** Scripts that stand in the document. */
  scripts: readonly string[];
  /** Scripts that wait for the visitor's consent. */
  consentScripts: readonly string[];
  /** The policy that allows them; null where the site's own policy is enough. */
  policy: string | null;
}

const NOTHING: SettingsInDocument = { customCss: [], scripts: [], consentScripts: [], policy: null };

/** @returns what settings bring into a document. @param version of the settings. */
export type BringSettings = (
  settings: Settings | null,
  version: string,
  origin: string,
) => SettingsInDocument;

/** Results kept: a few versions of the settings for each origin. Stored pages then share one text of the policy. */
const MAX_KEPT = 100;

export function createSettingsInDocument(config: Config): BringSettings {
  const kept = new LRUCache<string, SettingsInDocument>({ max: MAX_KEPT });
  return (settings, version, origin) => {
    if (!settings) return NOTHING;
    const key = `${version} ${origin}`;
    const known = kept.get(key);
    if (known) return known;
    const brought = bring(config, settings, origin);
    kept.set(key, brought);
    return brought;
  };
}

function bring(config: Config, { customCss, scripts }: Settings, origin: string): SettingsInDocument {
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
