import { WORD_NAMES } from '../labels/word-names.ts';
import { type JsonBlockName, LANDING_BLOCKS, OWN_TEXT } from './landing-blocks.ts';
import { CALLOUT_TONES } from './rich-text-tags.ts';

/** @returns the description of a component: a part of an entry, with fields of its own. */
function component<const Noun extends string, const Fields>(noun: Noun, fields: Fields) {
  return { path: null, storage: 'component', file: null, noun, readBy: [], fields } as const;
}

const link = { kind: 'component', target: 'link' } as const;
const text = { kind: 'text' } as const;
const icon = { kind: 'file' } as const;
const address = { kind: 'address' } as const;

/** `earnMore` becomes `earn-more`. */
type KebabCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KebabCase<Rest>}`
  : Name;
type BlockComponentName = `${KebabCase<JsonBlockName>}-block`;

/** The components of the landing page's blocks. The compiler asks for one for each block. */
const blockComponents = {
  'header-block': component('the first block', {
    eyebrow: text,
    title: text,
    text,
    primary: link,
    secondary: link,
  }),
  'payments-block': component('a block of payment methods', { title: text, text, link }),
  'directions-block': component('a block of directions', {
    title: text,
    text,
    items: { kind: 'component', target: 'direction', many: true },
  }),
  'partners-block': component('a block of partners', {
    title: text,
    text,
    items: { kind: 'component', target: 'partner', many: true },
  }),
  'earn-more-block': component('a block about earning', {
    title: text,
    text,
    steps: { kind: 'component', target: 'titled-text', many: true },
    link,
  }),
  'contacts-block': component('a block of contacts', {
    title: text,
    text,
    email: text,
    phone: text,
    address: text,
  }),
  'faq-block': component('a block of questions', {
    title: text,
    items: { kind: 'component', target: 'question', many: true },
  }),
} as const satisfies Record<BlockComponentName, unknown>;

const caption = text;
const poster = { kind: 'picture' } as const;

/**
 * The kinds of sections, from which editors put a text together in a dynamic zone. Each has a reader in
 * `server/content/rich-text/section-kinds.ts`; the compiler asks for it.
 */
export const sectionComponents = {
  'text-section': component('a text', { body: { kind: 'rich-text' } }),
  'quote-section': component('a quotation', { text, name: text, position: text, href: address }),
  'media-section': component('a picture, film or sound', {
    file: { kind: 'file' },
    caption,
    poster,
    captions: { kind: 'file' },
  }),
  'gallery-section': component('a gallery', { files: { kind: 'files' }, caption }),
  'callout-section': component('a callout', {
    tone: { kind: 'choice', of: CALLOUT_TONES },
    title: text,
    body: { kind: 'rich-text' },
  }),
  'embed-section': component('a film of another site', { href: address, title: text, poster, caption }),
} as const;
export type SectionName = keyof typeof sectionComponents;

/**
 * The components in which editors fill in what the user's own backend holds as JSON: a field with `component` in the descriptions names one.
 * Both forms have the same keys, so one decoder reads both.
 */
export const componentTypes = {
  link: component('a link', { title: text, href: address, icon }),
  'navigation-link': component('a link of the navigation', {
    title: text,
    href: address,
    icon,
    children: { kind: 'component', target: 'link', many: true },
  }),
  question: component('a question', { question: text, answer: { kind: 'rich-text' } }),
  'titled-text': component('a text with a title', { title: text, text }),
  checkmark: component('a line with a check mark', { text }),
  profile: component('a profile of a social network', { title: text, link: address, icon }),
  label: component('a word of the interface', { name: { kind: 'choice', of: WORD_NAMES }, text }),
  direction: component('a direction', { title: text, text, href: address, icon }),
  partner: component('a partner', { name: text, logo: icon, href: address }),
  'usd-metric': component('a figure', { value: { kind: 'number' }, label: text, note: text }),
  'landing-position': component('a place on the landing page', {
    block: { kind: 'choice', of: [...LANDING_BLOCKS, OWN_TEXT] },
    custom: { kind: 'rich-text' },
    anchor: text,
  }),
  seo: component('a set of values for search engines', {
    metaTitle: text,
    metaDescription: text,
    metaImage: { kind: 'picture' },
    canonicalURL: address,
    metaRobots: text,
  }),
  ...blockComponents,
  ...sectionComponents,
} as const;

/** @returns the name of the component of a landing block. */
export function blockComponent(block: JsonBlockName): string {
  return `${block.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}-block`;
}

/** @returns the names of a component's fields, which are the keys of the same value as JSON. */
export function componentKeys(name: keyof typeof componentTypes): readonly string[] {
  return Object.keys(componentTypes[name].fields);
}
