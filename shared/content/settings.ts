import type { EntityOf, FieldsOf } from './content-types.ts';
import type { JsonObject } from './json.ts';

/** A row of `/api/socials`. */
export type Social = EntityOf<'social'>;

/** An entry of the settings' own JSON list `socials`, the fallback for an empty `/api/socials`. */
export interface SettingsSocial {
  title: string;
  link: string;
  icon: string | null;
}

/** The record `settings`. `customCss` and `scripts` are the addresses of additional stylesheets and scripts, in order. */
export interface Settings extends FieldsOf<'settings'> {
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
  socials: readonly SettingsSocial[];
}
