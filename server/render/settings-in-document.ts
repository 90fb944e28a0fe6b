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

/** Of the last origin: one site has one, or a few names. */
const made = new WeakMap<Settings, { origin: string; brought: SettingsInDocument }>();

/** @returns what settings bring into a document, made once of the same settings. */
export function settingsInDocument(
  config: Config,
  settings: Settings | null,
  origin: string,
): SettingsInDocument {
  if (!settings) return NOTHING;
  const known = made.get(settings);
  if (known?.origin === origin) return known.brought;
  const brought = bring(config, settings, origin);
  made.set(settings, { origin, brought });
  return brought;
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
