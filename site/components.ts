import { component } from '../shared/content/descriptions.ts';

/** Components of several types, blocks and sections. A component with one owner is in its folder. */

export const text = { kind: 'text', label: 'Text', long: true } as const;
export const title = { kind: 'text', label: 'Title' } as const;
export const icon = { kind: 'file', label: 'Icon' } as const;
export const href = {
  kind: 'address',
  label: 'Address',
  hint: 'A path such as /about, https://…, mailto:… or tel:…',
  noun: 'address',
} as const;
/** A small picture beside a block's heading. With these, a long page has one at least every two screens. */
export const picture = {
  kind: 'file',
  label: 'Picture',
  hint: 'A portrait or a drawing, shown small below or beside the heading',
  optional: 'the block has no picture',
} as const;
export const IN_ORDER = 'In the order of the page: drag to sort';

const linkFields = { title, href: { ...href, orElse: ['link'] }, icon } as const;

export const link = component('link', {
  label: 'Link',
  noun: 'a link',
  needs: ['title', 'href'],
  fields: {
    ...linkFields,
    text: {
      kind: 'text',
      label: 'Sentence',
      hint: 'Only below a link of the header: what visitors find there, in ten words or less',
    },
  },
});

/** A call to action. Pages show the one of the settings, unless they have their own. */
export const offer = component('offer', {
  label: 'Offer',
  noun: 'an offer',
  needs: ['title', 'href'],
  fields: {
    title: { kind: 'text', label: 'Words of the button', hint: 'Two or three, such as “Talk to us”' },
    href,
    text: { ...text, label: 'Sentence', hint: 'What a visitor gets, shown beside the button' },
  },
});

export const navigationLink = component('navigation-link', {
  label: 'Link with links below it',
  noun: 'a link of the navigation',
  fields: {
    ...linkFields,
    children: {
      kind: 'list',
      component: link,
      label: 'Links below it',
      hint: 'The menu of the header shows the first one large, if it has a sentence. Its icon may be a picture',
    },
  },
});

export const question = component('question', {
  label: 'Question',
  noun: 'a question',
  needs: ['question', 'answer'],
  fields: {
    question: { kind: 'text', label: 'Question' },
    answer: { kind: 'rich-text', label: 'Answer' },
  },
});

export const titledText = component('titled-text', {
  label: 'Text with a title',
  noun: 'a text with a title',
  needsOneOf: ['title', 'text'],
  fields: { title, text },
});

export const fact = component('fact', {
  label: 'Fact',
  noun: 'a fact',
  needs: ['title', 'text'],
  fields: {
    title: { kind: 'text', label: 'What it is', hint: 'Such as Price, Arrival, Limit' },
    text: { kind: 'text', label: 'Value', hint: 'A few words, such as “from 0.35 USD”' },
  },
});

/** The fields of Strapi's SEO plugin. */
export const seo = component('seo', {
  label: 'Search engines',
  noun: 'a set of values for search engines',
  fields: {
    metaTitle: {
      kind: 'text',
      label: 'Title for search engines',
      hint: 'Only if it differs from the title',
    },
    metaDescription: {
      kind: 'text',
      label: 'Description for search engines',
      hint: 'Only if it differs from the description',
      long: true,
    },
    metaImage: {
      kind: 'picture',
      label: 'Picture of shared links',
      hint: 'Without it, shared links show the cover',
    },
    canonicalURL: {
      kind: 'address',
      label: 'Canonical address',
      hint: 'Only if the text was first published elsewhere: the address of that page',
    },
    metaRobots: {
      kind: 'text',
      label: 'Rules for search engines',
      hint: 'noindex hides the page from search engines, from the sitemap and from feeds',
    },
  },
});
