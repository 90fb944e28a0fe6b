import type { ComponentDescription, SectionDescription } from '../../../shared/content/descriptions.ts';
import { zoneBlock } from '../../../shared/content/zone-kinds.ts';
import { sections } from '../../../site/sections.ts';
import { setOf } from '../nodes/vocabulary.ts';

/** The site's names of sections, by their names in common Strapi projects. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'rich-text': 'text',
  slider: 'gallery',
  image: 'media',
};

/** @returns the kind of section for a component name, such as `site.quote-section` or `shared.quote`. */
export function sectionKind(component: string): SectionDescription | undefined {
  const own = (component.split('.').at(-1) ?? '').replace(/-section$/, '');
  return sections.find(({ name }) => name === `${OTHER_NAMES[own] ?? own}-section`);
}

export function zoneKind(component: string): ComponentDescription | undefined {
  return zoneBlock({ __component: component })?.component ?? sectionKind(component);
}

/** Keys whose texts are for readers, even single words. */
const FOR_READERS = setOf(
  'title subtitle heading headline text body content description caption quote name label author question answer eyebrow note lead ' +
    'intro summary button alternativeText alt html markdown code',
);

/** Guesses whether a text in an unknown component is for readers: by its key, or if it has several words. */
export function isForReaders(key: string, text: string): boolean {
  return FOR_READERS.has(key) || /\s/.test(text.trim());
}

export function isFile({ url, mime, hash, ext }: Readonly<Record<string, unknown>>): boolean {
  return Boolean(url) && Boolean(mime || hash || ext);
}
