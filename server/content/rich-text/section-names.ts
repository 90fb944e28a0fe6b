import { type SectionName, sectionComponents } from '../../../shared/content/components.ts';

/** The names that common Strapi projects have for kinds of sections. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'rich-text': 'text',
  slider: 'gallery',
  image: 'media',
};

/** @returns the kind of a section by the name of its component, such as `site.quote-section` or `shared.quote`; null for an unknown one. */
export function sectionName(component: string): SectionName | null {
  const own =
    component
      .split('.')
      .at(-1)
      ?.replace(/-section$/, '') ?? '';
  const name = `${OTHER_NAMES[own] ?? own}-section`;
  return Object.hasOwn(sectionComponents, name) ? (name as SectionName) : null;
}
