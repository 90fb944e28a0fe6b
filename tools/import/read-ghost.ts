import { isObject } from '../../server/wire/wire.ts';
import {
  type ImportedEntry,
  type ImportedSite,
  type Json,
  LossList,
  rowsIn,
  slugIn,
  textIn,
  timeIn,
} from './site-content.ts';

/** Reads the export of Ghost (Settings → Import/Export): `{ db: [{ data }] }`. */
export function readGhost(file: string, json: unknown): ImportedSite {
  const loss = new LossList(file);
  const root = isObject(json) ? (rowsIn(json.db)[0] ?? json) : {};
  const data = isObject(root.data) ? root.data : root;
  if (!Array.isArray(data.posts)) throw new Error(`${file} is no export of Ghost: it has no posts`);
  const byId = (rows: readonly Json[]) => new Map(rows.map(row => [textIn(row.id), row]));
  const users = byId(rowsIn(data.users));
  const tags = byId(rowsIn(data.tags));
  const metas = new Map(rowsIn(data.posts_meta).map(row => [textIn(row.post_id), row]));
  const linked = (rows: unknown, key: string) => {
    const byPost = new Map<string, string[]>();
    for (const row of rowsIn(rows).toSorted((a, b) => Number(a.sort_order ?? 0) - Number(b.sort_order ?? 0)))
      byPost.set(textIn(row.post_id), [...(byPost.get(textIn(row.post_id)) ?? []), textIn(row[key])]);
    return byPost;
  };
  const tagsOf = linked(data.posts_tags, 'tag_id');
  const authorsOf = linked(data.posts_authors, 'author_id');

  const entries = rowsIn(data.posts).flatMap((post, index): ImportedEntry[] => {
    const id = textIn(post.id);
    const title = textIn(post.title);
    const place = `posts[${index}] "${title}"`;
    const slug = slugIn(textIn(post.slug) || title);
    if (slug === '') {
      loss.note(place, 'slug', 'an entry without an address and a title is left out');
      return [];
    }
    const html = textIn(post.html);
    if (html === '' && (textIn(post.lexical) || textIn(post.mobiledoc)))
      loss.note(place, 'html', 'the text is there in the editor’s format alone, and is left out');
    if (textIn(post.visibility) && textIn(post.visibility) !== 'public')
      loss.note(
        place,
        'visibility',
        `“${textIn(post.visibility)}”: the entry becomes a draft, because the site has no members`,
      );
    for (const field of ['codeinjection_head', 'codeinjection_foot', 'custom_template'])
      if (textIn(post[field])) loss.note(place, field, 'the site has nothing like it');
    const meta = metas.get(id) ?? post;
    const authors = authorsOf.get(id) ?? [textIn(post.author_id)];
    if (authors.length > 1) loss.note(place, 'authors', 'an article has one author: the first is taken');
    const names = (tagsOf.get(id) ?? []).map(tagId => tags.get(tagId)).filter(tag => tag !== undefined);
    const shown = names.filter(tag => !isInternal(tag));
    for (const tag of names.filter(isInternal))
      loss.note(place, 'tags', `the internal tag ${textIn(tag.name)} is left out`);
    const isPage = textIn(post.type) === 'page' || post.page === true || post.page === 1;
    const isPublic = ['', 'public'].includes(textIn(post.visibility));
    const author = users.get(authors[0] ?? '');
    const cover = textIn(post.feature_image);
    return [
      {
        ...{ place, slug, title, html },
        kind: isPage ? 'page' : 'article',
        description: textIn(post.custom_excerpt),
        date: timeIn(post.published_at) ?? timeIn(post.created_at),
        updatedAt: timeIn(post.updated_at),
        isDraft: textIn(post.status) !== 'published' || !isPublic,
        author: author ? slugIn(textIn(author.slug) || textIn(author.name)) : null,
        category: shown[0] ? slugIn(textIn(shown[0].slug) || textIn(shown[0].name)) : null,
        tags: shown.map(tag => textIn(tag.name)),
        cover: cover ? { address: cover, alt: textIn(meta.feature_image_alt) } : null,
        seoTitle: textIn(meta.meta_title),
        seoDescription: textIn(meta.meta_description),
        oldPath: `/${textIn(post.slug)}/`,
      },
    ];
  });
  const firsts = new Set(entries.map(({ category }) => category));
  const kept = [...tags.values()].filter(tag => !isInternal(tag));
  const named = kept.map(tag => ({
    name: textIn(tag.name),
    slug: slugIn(textIn(tag.slug) || textIn(tag.name)),
    description: textIn(tag.description),
  }));
  return {
    address: '',
    entries,
    authors: [...users.values()].map((user, index) => ({
      place: `users[${index}] "${textIn(user.name)}"`,
      slug: slugIn(textIn(user.slug) || textIn(user.name)),
      name: textIn(user.name),
      description: textIn(user.bio),
      image: textIn(user.profile_image) || null,
    })),
    // Ghost has no categories. Its first tag is the main one.
    categories: named.filter(({ slug }) => firsts.has(slug)),
    tags: named,
    loss,
  };
}

const isInternal = (tag: Json) => textIn(tag.visibility) === 'internal' || textIn(tag.name).startsWith('#');
