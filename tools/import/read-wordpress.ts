import { XMLParser, XMLValidator } from 'fast-xml-parser';
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

const LISTS = new Set([
  'item',
  'category',
  'wp:author',
  'wp:category',
  'wp:tag',
  'wp:postmeta',
  'wp:comment',
]);
const IGNORED = new Set(['attachment', 'nav_menu_item', 'revision', 'wp_global_styles', 'wp_navigation']);
const SHORTCODE = /\[\/?([a-z][\w-]*)(?:\s[^[\]]*)?\]/g;

/** Reads the export of WordPress (Tools → Export): RSS with the namespace `wp`, called WXR. */
export function readWordpress(file: string, xml: string): ImportedSite {
  const loss = new LossList(file);
  const valid = XMLValidator.validate(xml);
  if (valid !== true) throw new Error(`${file}:${valid.err.line}: ${valid.err.msg}`);
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    processEntities: true,
    trimValues: false,
    isArray: name => LISTS.has(name),
  });
  const parsed: unknown = parser.parse(xml);
  const rss = isObject(parsed) && isObject(parsed.rss) ? parsed.rss : {};
  if (!isObject(rss.channel)) throw new Error(`${file} is no export of WordPress: it has no channel`);
  const { channel } = rss;
  const items = rowsIn(channel.item);
  const attachments = new Map(
    items
      .filter(item => textIn(item['wp:post_type']) === 'attachment')
      .map(item => [textIn(item['wp:post_id']), item]),
  );
  const authors = rowsIn(channel['wp:author']);
  const slugOfLogin = new Map(
    authors.map(author => {
      const login = textIn(author['wp:author_login']);
      return [login, slugIn(textIn(author['wp:author_display_name']) || login)];
    }),
  );

  const entries = items.flatMap((item, index): ImportedEntry[] => {
    const type = textIn(item['wp:post_type']);
    const title = textIn(item.title);
    const place = `item[${index}] "${title}"`;
    if (IGNORED.has(type)) return [];
    if (type !== 'post' && type !== 'page') {
      loss.note(place, 'wp:post_type', `the site has no entries of the type “${type}”`);
      return [];
    }
    const status = textIn(item['wp:status']);
    if (status === 'trash' || status === 'auto-draft') {
      loss.note(place, 'wp:status', `“${status}” is left out`);
      return [];
    }
    const slug = slugIn(textIn(item['wp:post_name']) || title || textIn(item['wp:post_id']));
    const raw = textIn(item['content:encoded']);
    for (const name of new Set([...raw.matchAll(SHORTCODE)].map(([, found]) => found)))
      if (name !== 'caption') loss.note(place, 'content:encoded', `the short code [${name}] stays as text`);
    if (textIn(item['wp:post_password'])) loss.note(place, 'wp:post_password', 'the entry becomes a draft');
    const comments = rowsIn(item['wp:comment']).length;
    if (comments > 0) loss.note(place, 'wp:comment', `${comments} comments: the site has none`);
    const metas = metasOf(item);
    const thumbnail = metas.get('_thumbnail_id');
    const cover = thumbnail ? attachments.get(thumbnail) : undefined;
    if (thumbnail && !cover) loss.note(place, '_thumbnail_id', `the file ${thumbnail} is not in the export`);
    const terms = rowsIn(item.category);
    const named = (domain: string) => terms.filter(term => term['@_domain'] === domain);
    const [category, ...more] = named('category');
    for (const term of more)
      loss.note(place, 'category', `an article has one category: “${textOf(term)}” becomes a tag`);
    const link = textIn(item.link);
    return [
      {
        ...{ place, slug, title },
        kind: type === 'page' ? 'page' : 'article',
        description: textIn(item['excerpt:encoded']),
        html: paragraphs(raw.replace(/\[\/?caption[^\]]*\]/g, '')),
        date: timeIn(item['wp:post_date_gmt']) ?? timeIn(item['wp:post_date']),
        updatedAt: timeIn(item['wp:post_modified_gmt']),
        isDraft: status !== 'publish' || textIn(item['wp:post_password']) !== '',
        author: slugOfLogin.get(textIn(item['dc:creator'])) ?? null,
        category: category ? slugIn(textIn(category['@_nicename'])) : null,
        tags: [...more, ...named('post_tag')].map(textOf),
        cover: cover
          ? {
              address: textIn(cover['wp:attachment_url']),
              alt: metasOf(cover).get('_wp_attachment_image_alt') || textIn(cover.title),
            }
          : null,
        seoTitle: metas.get('_yoast_wpseo_title') ?? '',
        seoDescription: metas.get('_yoast_wpseo_metadesc') ?? '',
        oldPath: URL.parse(link)?.search === '' ? (URL.parse(link)?.pathname ?? null) : null,
      },
    ];
  });
  return {
    address: textIn(channel['wp:base_blog_url']) || textIn(channel.link),
    entries,
    authors: authors.map((author, index) => ({
      place: `wp:author[${index}]`,
      slug: slugOfLogin.get(textIn(author['wp:author_login'])) ?? '',
      name: textIn(author['wp:author_display_name']) || textIn(author['wp:author_login']),
      description: '',
      image: null,
    })),
    categories: rowsIn(channel['wp:category']).map(term => ({
      slug: slugIn(textIn(term['wp:category_nicename'])),
      name: textIn(term['wp:cat_name']),
      description: textIn(term['wp:category_description']),
    })),
    tags: rowsIn(channel['wp:tag']).map(term => ({
      name: textIn(term['wp:tag_name']),
      slug: slugIn(textIn(term['wp:tag_slug'])),
      description: textIn(term['wp:tag_description']),
    })),
    loss,
  };
}

const textOf = (term: Json): string => textIn(term['#text']);

const metasOf = (item: Json) =>
  new Map(
    rowsIn(item['wp:postmeta']).map(meta => [textIn(meta['wp:meta_key']), textIn(meta['wp:meta_value'])]),
  );

/** Makes paragraphs of the classic editor's empty lines. Removes the comments of the block editor. */
function paragraphs(html: string): string {
  const text = html.replace(/<!--[^>]*-->/g, '');
  if (/<(?:p|h\d|ul|ol|figure|blockquote)[\s>]/i.test(text)) return text;
  return text
    .split(/\n\s*\n/)
    .map(part => (part.trim() === '' ? '' : `<p>${part.trim().replaceAll('\n', '<br>')}</p>`))
    .join('\n');
}
