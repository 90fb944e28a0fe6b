import { contentTypes } from '../../../shared/content/content-types.ts';
import type { JsonObject } from '../../../shared/content/json.ts';
import type { Settings, SettingsSocial, Social } from '../../../shared/content/settings.ts';
import { safeHref } from '../safe-address.ts';
import { decodeFields, entityDecoder } from './decode-entity.ts';
import { type DecodeContext, type DecodeRow, mediaAddressOf } from './decode-fields.ts';
import { jsonObjects, textOf, type WireEntry } from './wire.ts';

/** @returns the settings. A broken list of links counts as empty. */
export function decodeSettings({ attributes }: WireEntry, context: DecodeContext): Settings {
  return {
    attributes: attributes as JsonObject,
    ...decodeFields(contentTypes.settings, attributes, context),
    socials: jsonObjects(attributes.socials).flatMap((item): SettingsSocial[] => {
      const title = textOf(item.title);
      const link = safeHref(item.link);
      return title && link ? [{ title, link, icon: mediaAddressOf(item.icon, context) }] : [];
    }),
  };
}

export const decodeSocial: DecodeRow<Social> = entityDecoder(contentTypes.social);
