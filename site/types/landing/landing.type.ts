import { component, type TypeDescription } from '../../../shared/content/descriptions.ts';
import { landingFields, OWN_TEXT } from '../../../shared/content/landing-fields.ts';
import { subscribe } from '../../blocks/subscribe/subscribe.block.ts';
import { blocks } from '../../blocks.ts';
import { heading, links, seo, shownDates } from '../fields.ts';

const position = component('landing-position', {
  label: 'Block or own text',
  noun: 'a place on the landing page',
  titleField: 'name',
  form: [['block', 'hidden'], ['custom'], ['anchor'], ['publishAt', 'unpublishAt']],
  hidden: ['name'],
  fields: {
    block: {
      kind: 'choice',
      of: [...blocks.map(block => block.name), OWN_TEXT],
      label: 'Block',
      hint: 'ownText for a text of your own',
    },
    custom: { kind: 'rich-text', label: 'Own text' },
    anchor: { kind: 'text', label: 'Name for links', hint: 'Links to /#name lead to this text' },
    hidden: { kind: 'flag', label: 'Hidden', hint: 'Visitors do not see it; its texts stay' },
    ...shownDates,
    // The CMS writes this text: its panel shows it as the title of a closed row.
    name: { kind: 'text', label: 'Name in the list' },
  },
});

const schema = { kind: 'json-ld', group: seo.group, hint: 'JSON-LD for search engines' } as const;

export const landing = {
  path: 'landing',
  storage: 'single',
  file: 'landing.json',
  label: 'Home page',
  noun: 'the landing page',
  drafts: true,
  // Hide `h1`, because the first block's title is the heading.
  hidden: ['h1'],
  route: 'home',
  // Every page reads this type, because the footer shows `subscribeBlockSocials`.
  onEveryPage: true,
  form: [['positionsAndCustomBlocks'], ['title'], ['description']],
  fields: {
    ...heading,
    ...landingFields(blocks),
    positionsAndCustomBlocks: {
      kind: 'json',
      component: position,
      many: true,
      label: 'Order of the blocks',
      hint: 'Drag to sort. A block that is not in the list is not shown; an empty list shows all',
    },
    subscribeBlockSocials: {
      ...links,
      label: 'Block “Subscribe”: social networks',
      group: subscribe.label,
    },
    schema1: { ...schema, label: 'Structured data 1' },
    schema2: { ...schema, label: 'Structured data 2' },
    schema3: { ...schema, label: 'Structured data 3' },
    seo,
  },
} as const satisfies TypeDescription;
