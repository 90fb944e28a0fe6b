import { personJsonLd } from '../../../server/loading/json-ld.ts';
import { articleGroup } from '../../parts/articles/article-group.server.ts';

export default articleGroup({
  route: 'blog-author',
  by: 'author',
  find: (reader, slug) => reader.authorWithSlug(slug),
  before: (reader, slug) => reader.authorBefore(slug),
  all: reader => reader.authorLinks(),
  headOf: ({ name, description, position }, words) => ({
    title: name,
    description,
    // Share a drawn card, because a portrait cropped to the card's shape would show half a face.
    card: { title: name, label: words.text('blog'), author: position },
  }),
  jsonLdOf: (author, { path, origin }) => personJsonLd(author, path, origin),
});
