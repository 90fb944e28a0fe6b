import type { JsonObject } from './json.ts';
import type { NavigationLink } from './links.ts';

/** A row of `/api/socials`. */
export interface Social {
  id: string;
  link: string;
  /** The address of the icon. */
  icon: string | null;
}

/** An entry of the settings' own JSON list `socials`, the fallback for an empty `/api/socials`. */
export interface SettingsSocial {
  title: string;
  link: string;
  icon: string | null;
}

export interface Settings {
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
  headerLinks: readonly NavigationLink[];
  footerLinks: readonly NavigationLink[];
  socials: readonly SettingsSocial[];
  /** The addresses of additional stylesheets, in order. */
  customCss: readonly string[];
  /** The addresses of additional scripts, in order. */
  scripts: readonly string[];
}
