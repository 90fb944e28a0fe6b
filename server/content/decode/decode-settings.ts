import type { JsonObject } from '../../../shared/content/json.ts';
import type { Settings, SettingsSocial, Social } from '../../../shared/content/settings.ts';
import { fail, ok } from '../../../shared/result.ts';
import { safeHref } from '../safe-address.ts';
import {
  type DecodeContext,
  type DecodeRow,
  mediaAddressesOf,
  mediaAddressOf,
  navigationOf,
  requireEntry,
} from './decode-fields.ts';
import { jsonObjects, textOf, type WireEntry } from './wire.ts';

/** @returns the settings; broken link lists are empty ones. */
export function decodeSettings(entry: WireEntry, context: DecodeContext): Settings {
  const { attributes } = entry;
  return {
    attributes: attributes as JsonObject,
    headerLinks: navigationOf(attributes.headerLinks, context),
    footerLinks: navigationOf(attributes.footerLinks, context),
    socials: jsonObjects(attributes.socials).flatMap((item): SettingsSocial[] => {
      const title = textOf(item.title);
      const link = safeHref(item.link);
      return title && link ? [{ title, link, icon: mediaAddressOf(item.icon, context) }] : [];
    }),
    customCss: mediaAddressesOf(attributes.customCss, context),
    scripts: mediaAddressesOf(attributes.scripts, context),
  };
}

/** A social network needs a link that may be followed. */
export const decodeSocial: DecodeRow<Social> = (row, context) => {
  const entry = requireEntry(row);
  if (!entry.ok) return entry;
  const { id, attributes } = entry.value;
  const link = safeHref(attributes.link);
  return link
    ? ok({ id, link, icon: mediaAddressOf(attributes.icon, context) })
    : fail('a social needs a link');
};
