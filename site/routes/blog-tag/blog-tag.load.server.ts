import { articleGroup } from '../../parts/articles/article-group.server.ts';

export default articleGroup({
  route: 'blog-tag',
  by: 'tag',
  find: (reader, slug) => reader.tagWithSlug(slug),
  before: (reader, slug) => reader.tagBefore(slug),
  all: reader => reader.tagLinks(),
  headOf: ({ name, description }, words) => ({
    title: words.text('articlesTagged', { tag: name }),
    description,
    card: { title: name, label: words.text('blog'), author: null },
  }),
});
