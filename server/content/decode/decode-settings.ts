import { componentKeys } from '../../../shared/content/components.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import type { JsonObject } from '../../../shared/content/json.ts';
import type { Settings, SettingsSocial, Social } from '../../../shared/content/settings.ts';
import { hrefAt } from './decode-addresses.ts';
import { consentSentence } from './decode-consent.ts';
import { type DecodeContext, inside } from './decode-context.ts';
import { decodeFields, entityDecoder } from './decode-entity.ts';
import { type DecodeRow, loseItem, mediaAddressOf } from './decode-fields.ts';
import { objectsAt, textAt } from './decode-json.ts';
import { languageSettings } from './decode-language.ts';
import type { WireEntry } from './wire.ts';

/** @returns the settings. A broken list of links counts as empty. */
export function decodeSettings({ attributes }: WireEntry, context: DecodeContext): Settings {
  const fields = decodeFields(contentTypes.settings, attributes, context);
  return {
    attributes: attributes as JsonObject,
    ...fields,
    socials: socials(attributes.socials, inside(context, 'socials')),
    subscribeConsent: consentSentence(fields.subscribeConsent, inside(context, 'subscribeConsent')),
    ...languageSettings(fields, attributes.labels, context),
  };
}

function socials(value: unknown, context: DecodeContext): readonly SettingsSocial[] {
  return objectsAt(value, context, componentKeys('profile')).flatMap(([item, at]): SettingsSocial[] => {
    const title = textAt(item.title, inside(at, 'title'));
    const link = hrefAt(item.link, inside(at, 'link'), 'the link is not shown');
    const icon = mediaAddressOf(item.icon, inside(at, 'icon'));
    if (title && link) return [{ title, link, icon }];
    loseItem(at, item, 'a social', 'a title and a link');
    return [];
  });
}

export const decodeSocial: DecodeRow<Social> = entityDecoder(contentTypes.social);
