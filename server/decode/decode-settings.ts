import type { FieldsOf } from '../../shared/content/content-types.ts';
import type { Image } from '../../shared/content/image.ts';
import type { JsonObject } from '../../shared/content/json.ts';
import type { RichNode, RichText } from '../../shared/content/rich-text.ts';
import { sentenceText } from '../../shared/content/sentence-text.ts';
import type { LanguageSettings, Settings, Social } from '../../shared/content/settings.ts';
import { MAX_LENGTHS } from '../../shared/forms/form-limits.ts';
import { CATALOGUE_NAMES, catalogueFor } from '../../shared/labels/page-language.ts';
import { WORD_NAMES, WORDS } from '../../site/all-words.ts';
import { siteTypes } from '../../site/types.ts';
import { isCurrency, isTimeZone } from '../config/config-values.ts';
import { plainText } from '../rich-text/nodes/read-rich-text.ts';
import { accentOf } from '../wire/accent.ts';
import { type DecodeContext, inside, lose, quoted } from '../wire/decode-context.ts';
import { loseItem, objectsAt, textAt } from '../wire/decode-json.ts';
import type { WireEntry } from '../wire/wire.ts';
import { decodeFields, entityDecoder } from './decode-entity.ts';
import type { DecodeRow } from './decode-fields.ts';

export function decodeSettings({ attributes }: WireEntry, context: DecodeContext): Settings {
  const fields = decodeFields(siteTypes.settings, attributes, context);
  return {
    attributes: attributes as JsonObject,
    ...fields,
    subscribeConsent: consentSentence(fields.subscribeConsent, inside(context, 'subscribeConsent')),
    ...languageSettings(fields, attributes.labels, context),
    accent: accentAddress(fields.accentColor, inside(context, 'accentColor')),
    logo: measured(fields.logo, inside(context, 'logo')),
    logoDark: measured(fields.logoDark, inside(context, 'logoDark')),
  };
}

function accentAddress(colour: string | null, context: DecodeContext): string | null {
  if (!colour?.trim()) return null;
  const accent = accentOf(colour);
  if (typeof accent !== 'string') return accent.address;
  lose(context, 'value-left-out', `${quoted(colour)} is not used, and the brand's accent stays: ${accent}`);
  return null;
}

/** Takes the size of a logo from its file alone. Reports a file without a size: the build's logo is shown. */
function measured(picture: Image | null, context: DecodeContext): Image | null {
  if (!picture) return null;
  const logo = { ...picture, width: null, height: null };
  const reason = `${quoted(logo.src)} cannot be read as SVG, PNG or JPEG: the logo of the build is shown`;
  context.unsized(logo, () => lose(context, 'value-left-out', reason));
  return logo;
}

export const decodeSocial: DecodeRow<Social> = entityDecoder(siteTypes.social);

/** Elements that a label may contain. Other elements are replaced by their text. */
const INLINE: ReadonlySet<string> = new Set(['a', 'em', 'strong', 'abbr', 'cite', 'q', 'small', 'u']);

/** @returns the consent sentence without block elements, for the label of a checkbox. */
export function consentSentence(tree: RichText, context: DecodeContext): RichText | null {
  const nodes = withoutBlocks(tree);
  const text = sentenceText(nodes);
  if (text === '') return null;
  if (text.length <= MAX_LENGTHS.consent) return nodes;
  const reason = `the sentence has more than ${MAX_LENGTHS.consent} characters, and its end is not shown`;
  lose(context, 'value-left-out', reason);
  return [text.slice(0, MAX_LENGTHS.consent).toWellFormed().trim()];
}

function withoutBlocks(tree: RichText): RichText {
  return tree.flatMap((node, index): readonly RichNode[] => {
    if (typeof node === 'string') return [node];
    const [tag, attributes, children] = node;
    if (INLINE.has(tag)) return [[tag, attributes, withoutBlocks(children)]];
    const inner = tag === 'p' ? withoutBlocks(children) : [plainText([node])];
    return index === 0 ? inner : [' ', ...inner];
  });
}

type LanguageFields = Pick<FieldsOf<'settings'>, 'language' | 'timeZone' | 'currency'>;

const LABEL_KEYS = Object.keys(siteTypes.settings.fields.labels.component.fields);
const BLANK = /\{\w+\}/g;

function languageSettings(fields: LanguageFields, labels: unknown, context: DecodeContext): LanguageSettings {
  const checked = (field: keyof LanguageFields, isValid: (value: string) => boolean, wanted: string) => {
    const at = inside(context, field);
    const value = fields[field]?.trim() ?? '';
    if (value === '' || isValid(value)) return value || null;
    lose(at, 'value-left-out', `${quoted(value)} is not used, and the site keeps its own: ${wanted}`);
    return null;
  };
  return {
    language: checked(
      'language',
      value => catalogueFor(value) !== null,
      `a language is needed of which the site has the words (${CATALOGUE_NAMES.join(', ')}), such as en-GB`,
    ),
    timeZone: checked('timeZone', isTimeZone, 'a name such as Europe/Berlin is needed'),
    currency: checked('currency', isCurrency, 'three letters such as EUR are needed'),
    labels: Object.fromEntries(labelsIn(labels, inside(context, 'labels'))),
  };
}

/** Reports unknown names, unknown placeholders, and texts that lack a required placeholder. */
function labelsIn(value: unknown, context: DecodeContext): [name: string, text: string][] {
  return objectsAt(value, context, LABEL_KEYS).flatMap(([item, at]): [string, string][] => {
    const name = textAt(item.name, inside(at, 'name'))?.trim();
    const text = textAt(item.text, inside(at, 'text'));
    if (!name || text === null) {
      loseItem(at, item, 'a word of the interface', 'a name and a text');
      return [];
    }
    const fault = faultOf(name, text);
    if (fault === null) return [[name, text]];
    lose(at, 'value-left-out', fault);
    return [];
  });
}

function faultOf(name: string, text: string): string | null {
  const blanks = blanksOf(name);
  if (blanks === null) return `${quoted(name)} is not used: no word of the interface has this name`;
  const unknown = (text.match(BLANK) ?? []).filter(blank => !blanks.includes(blank));
  const known = blanks.length > 0 ? `it may have ${blanks.join(', ')}` : 'it may have none';
  if (unknown.length > 0) return `${quoted(text)} is not used: nothing fills ${unknown.join(', ')}, ${known}`;
  const lacking = SPELLS_NUMBER.test(name) ? [] : blanks.filter(blank => !text.includes(blank));
  return lacking.length > 0 ? `${quoted(text)} is not used: '${name}' needs ${lacking.join(', ')}` : null;
}

/** The plural forms for 0, 1 and 2. They need no placeholder, because they may write the number as a word. */
const SPELLS_NUMBER = /_(?:zero|one|two)$/;

/** @returns the placeholders that a text of this name may have, such as `{count}`; null if unknown. */
function blanksOf(name: string): readonly string[] | null {
  if (!WORD_NAMES.includes(name)) return null;
  const text: string | object | undefined = WORDS.en[name as keyof typeof WORDS.en];
  return typeof text === 'string' ? (text.match(BLANK) ?? []) : ['{count}'];
}
