import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { cover, NO_TAGS, seoImage, textPage, updatedAt } from '../fields.ts';

export const article = {
  path: 'articles',
  storage: 'collection',
  file: 'articles/',
  label: 'Article',
  noun: 'an article',
  drafts: true,
  route: 'blog-article',
  list: ['title', 'category', 'author', 'date'],
  form: [
    ['title', 'category'],
    ['description'],
    ['body'],
    ['cover'],
    ['author', 'tags'],
    ['slug', 'date'],
    ['sections'],
  ],
  fields: {
    ...textPage,
    // Prefer an editor's date, because Strapi 5 renews `publishedAt` at each publish.
    date: {
      kind: 'date',
      label: 'Date',
      hint: 'Shown, and sorts the lists. The article is not shown before it. Set at the first publication if it is empty',
      required: true,
      orElse: ['publishedAt', 'createdAt'],
      inLists: true,
      optional: 'lists and feeds show the day on which an article was published last',
    },
    updatedAt,
    cover,
    seoImage,
    category: {
      kind: 'relation',
      target: 'category',
      label: 'Category',
      hint: 'An article without a category has no address and is not shown',
      reads: ['name', 'slug'],
      inLists: true,
    },
    author: { kind: 'relation', target: 'author', label: 'Author', inLists: true },
    tags: {
      kind: 'relation',
      target: 'tag',
      many: true,
      label: 'Tags',
      hint: 'Each tag has a page with its articles',
      optional: NO_TAGS,
    },
  },
} as const satisfies TypeDescription;
