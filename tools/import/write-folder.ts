import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import TurndownService from 'turndown';
import { stringify } from 'yaml';
import { GHOST_URL, type MediaFiles } from './media-files.ts';
import { type ImportedEntry, type ImportedSite, type LossList, slugIn } from './site-content.ts';

/** The category of articles without one, because the address of an article needs it. */
const WITHOUT_CATEGORY = { slug: 'articles', name: 'Articles', description: '' };
const MEDIA_ADDRESS = /(<(?:img|video|audio|source)\b[^>]*?\b(?:src|poster)=)(["'])([^"']+)\2/gi;
const FILE_LINK =
  /(<a\b[^>]*?\bhref=)(["'])([^"']*\/(?:wp-content\/uploads|content\/(?:images|files|media))\/[^"']+)\2/gi;

const markdown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  emDelimiter: '*',
}).keep(['table', 'video', 'audio', 'iframe', 'sup', 'sub']);

/** Writes a content folder, as described in `content/README.md`. */
export async function writeFolder(
  site: ImportedSite,
  folder: string,
  media: MediaFiles,
  name: string,
): Promise<{ articles: number; pages: number }> {
  const files = new Map<string, string>();
  const addJson = (file: string, value: unknown) => files.set(file, `${JSON.stringify(value, null, 2)}\n`);
  const addText = (file: string, keys: object, body: string) =>
    files.set(file, `---\n${stringify(filled(keys), { lineWidth: 0 })}---\n\n${body}\n`);

  const articles = site.entries.filter(({ kind }) => kind === 'article');
  const categories = new Map(site.categories.map(category => [category.slug, category]));
  const categoryOf = ({ category }: ImportedEntry) => {
    if (category && categories.has(category)) return category;
    const { slug } = WITHOUT_CATEGORY;
    categories.set(
      category ?? slug,
      category ? { slug: category, name: category, description: '' } : WITHOUT_CATEGORY,
    );
    return category ?? slug;
  };
  const redirects: { from: string; to: string; statusCode: number }[] = [];
  for (const entry of site.entries) {
    const { kind, slug } = entry;
    const category = kind === 'article' ? categoryOf(entry) : null;
    const body = await textOf(entry, site, media);
    const file = kind === 'article' ? `articles/${slug}.md` : `pages/${slug}.md`;
    if (files.has(file))
      site.loss.note(entry.place, 'slug', `${file} is there already: the later entry replaces it`);
    const cover = entry.cover && (await pictureOf(entry.cover, entry.place, 'cover', site.loss, media));
    addText(
      file,
      {
        ...{ title: entry.title || slug, description: entry.description, category },
        author: kind === 'article' ? entry.author : null,
        tags: kind === 'article' && entry.tags.length > 0 ? entry.tags : null,
        date: kind === 'article' ? entry.date?.slice(0, 10) : null,
        ...{ updatedAt: entry.updatedAt, cover, draft: entry.isDraft },
        seo: filled({ metaTitle: entry.seoTitle, metaDescription: entry.seoDescription }),
      },
      body,
    );
    const to = category === null ? `/${slug}` : `/blog/${category}/${slug}`;
    const from = entry.oldPath?.replace(/\/+$/, '');
    if (from && from !== to && !entry.isDraft) redirects.push({ from, to, statusCode: 301 });
  }
  for (const author of site.authors) {
    const { place, slug, name, description, image: address } = author;
    if (slug === '') continue;
    const image = address && (await pictureOf({ address, alt: name }, place, 'image', site.loss, media));
    addText(`authors/${slug}.md`, { name, slug, image: image && [image] }, description);
  }
  for (const { slug, name: title, description } of categories.values())
    addJson(`categories/${slug}.json`, { name: title, title, h1: title, description });
  addJson('tags.json', site.tags.map(filled));
  addJson('redirects.json', redirects);
  addJson('settings.json', { siteName: name, headerLinks: [{ title: 'Blog', href: '/blog' }] });
  addJson('main-page.json', { title: name, h1: name });
  addJson('landing.json', {
    title: name,
    h1: name,
    headerBlock: { title: name, primary: { title: 'Blog', href: '/blog' } },
  });
  addJson('socials.json', []);

  for (const [file, text] of files) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return { articles: articles.length, pages: site.entries.length - articles.length };
}

function filled(keys: object): object | null {
  const set = Object.entries(keys).filter(([, value]) => value !== null && value !== '' && value !== false);
  return set.length > 0 ? Object.fromEntries(set) : null;
}

async function pictureOf(
  { address, alt }: { address: string; alt: string },
  place: string,
  field: string,
  loss: LossList,
  media: MediaFiles,
): Promise<{ file: string; alt: string } | null> {
  const taken = await media.take(address);
  if ('name' in taken) return { file: taken.name, alt };
  loss.note(place, field, `${address}: ${taken.reason}`);
  return null;
}

/** @returns the text in Markdown. Files that cannot be imported keep their address or path. */
async function textOf(entry: ImportedEntry, { loss }: ImportedSite, media: MediaFiles): Promise<string> {
  let html = entry.html;
  for (const expression of [MEDIA_ADDRESS, FILE_LINK])
    for (const [whole, start = '', quote = '', address = ''] of entry.html.matchAll(expression)) {
      const taken = await media.take(address);
      if ('name' in taken) html = html.replace(whole, `${start}${quote}/uploads/${taken.name}${quote}`);
      else loss.note(entry.place, 'text', `${address}: ${taken.reason}`);
    }
  // Links to pages become paths, which the imported redirects cover.
  return markdown.turndown(html.replaceAll(GHOST_URL, ''));
}

/** The default name of the site: that of its host. */
export const nameOf = (address: string): string =>
  slugIn(URL.parse(address)?.hostname ?? '') || 'Imported site';
