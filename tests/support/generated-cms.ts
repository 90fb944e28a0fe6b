import fc from 'fast-check';
import { capture, type FakeBackend, startFakeBackend } from './fake-backend.ts';
import { type ListRow, listOfRows } from './list-backend.ts';

/**
 * A row that edits change in place. Relations are the related rows themselves, so a renamed category changes
 * everywhere.
 */
export type CmsRow = { id: number; documentId: string } & Record<string, unknown>;

/** Collections by the backend's model: the path below `/api`, and whether an entry may be a draft. */
const COLLECTIONS = {
  article: ['articles', true],
  category: ['categories', true],
  page: ['pages', true],
  'business-solution': ['business-solutions', true],
  commerce: ['commerces', true],
  author: ['authors', false],
  social: ['socials', false],
  redirect: ['redirects', false],
} as const satisfies Readonly<Record<string, readonly [path: string, hasDrafts: boolean]>>;
const SINGLES = ['settings', 'landing', 'main-page'] as const;

export type Collection = keyof typeof COLLECTIONS;
export type Single = (typeof SINGLES)[number];

/** Content before the first edit. The numbers choose among the categories, authors and dates. */
export interface FirstContent {
  articles: readonly { category: number; author: number; cover: number; date: number }[];
  isDated: boolean;
}

/** The first category often has more than one page of articles. */
export const firstContent: fc.Arbitrary<FirstContent> = fc.record({
  articles: fc.array(
    fc.record({
      category: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 1, 2),
      author: fc.nat(1),
      cover: fc.nat(2),
      date: fc.nat(3),
    }),
    { minLength: 3, maxLength: 15 },
  ),
  isDated: fc.boolean(),
});

export interface GeneratedCms {
  backend: FakeBackend;
  /** @returns the published rows of a collection. */
  rows(model: Collection): readonly CmsRow[];
  drafts(model: Collection): readonly CmsRow[];
  files: readonly CmsRow[];
  /** Creates and publishes an entry. @returns the event. */
  add(model: Collection, fields: Readonly<Record<string, unknown>>): object;
  /** Changes fields of a published entry, or publishes a draft. @returns the event. */
  publish(model: Collection, row: CmsRow, fields?: Readonly<Record<string, unknown>>): object;
  /**
   * Unpublishes or deletes an entry. A deleted entry is also removed from all relations. @returns the event.
   */
  withdraw(model: Collection, row: CmsRow, event: 'entry.unpublish' | 'entry.delete'): object;
  change(model: Single, fields: (before: Record<string, unknown>) => Record<string, unknown>): object;
  /** Changes the alternative text of a file. @returns the event. */
  describe(file: CmsRow, alternativeText: string): object;
  /** @returns all current and former addresses of the content. */
  addresses(): readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a backend with generated content in the shape of Strapi 5: each publish gives an entry a new `id`.
 */
export async function startGeneratedCms({ articles, isDated }: FirstContent): Promise<GeneratedCms> {
  const backend = await startFakeBackend();
  const published = new Map<Collection, CmsRow[]>();
  const withdrawn = new Map<Collection, CmsRow[]>();
  const seen = new Set<string>();
  let lastId = 0;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  let days = 0;
  const now = () => {
    days += 1;
    return new Date(Date.UTC(2020, 0, 1) + days * 86_400_000).toISOString();
  };
  const listOf = (from: Map<Collection, CmsRow[]>, model: Collection): CmsRow[] => {
    const list = from.get(model) ?? [];
    from.set(model, list);
    return list;
  };
  const take = (list: CmsRow[], row: CmsRow) => void list.splice(list.indexOf(row), 1);
  const event = (name: string, model: string, row: object) => ({
    ...{ event: name, createdAt: now(), model, uid: `api::${model}.${model}` },
    entry: { publishedAt: now(), ...row },
  });

  const files = ['sea', 'hill', 'unused'].map(
    (name): CmsRow => ({
      ...{ id: nextId(), documentId: name, name: `${name}.jpg`, alternativeText: name },
      ...{ width: 1200, height: 675, formats: null, mime: 'image/jpeg', url: `/uploads/${name}.jpg` },
    }),
  );

  const cms: Pick<GeneratedCms, 'add' | 'publish' | 'withdraw' | 'change' | 'describe'> = {
    add(model, fields) {
      const row = { id: 0, documentId: `${model}${nextId()}`, createdAt: now(), ...fields };
      listOf(published, model).push(row);
      return cms.publish(model, row);
    },
    publish(model, row, fields = {}) {
      const drafts = listOf(withdrawn, model);
      if (drafts.includes(row)) {
        take(drafts, row);
        listOf(published, model).push(row);
      }
      const [, hasDrafts] = COLLECTIONS[model];
      const id = hasDrafts || row.id === 0 ? nextId() : row.id;
      Object.assign(row, fields, { id, publishedAt: now(), updatedAt: now() });
      return event(hasDrafts ? 'entry.publish' : 'entry.update', model, row);
    },
    withdraw(model, row, name) {
      take(listOf(published, model), row);
      if (name === 'entry.unpublish') listOf(withdrawn, model).push(row);
      else
        for (const article of [...listOf(published, 'article'), ...listOf(withdrawn, 'article')])
          for (const field of ['category', 'author']) if (article[field] === row) article[field] = null;
      return event(name, model, { ...row });
    },
    change(model, fields) {
      const answer = singles[model];
      Object.assign(answer.data.attributes, fields(answer.data.attributes), { updatedAt: now() });
      return event('entry.update', model, { id: 1, documentId: model, ...answer.data.attributes });
    },
    describe(file, alternativeText) {
      file.alternativeText = alternativeText;
      return { event: 'media.update', createdAt: now(), media: { ...file } };
    },
  };

  const singles = Object.fromEntries(
    SINGLES.map(model => [model, capture('v5-as-v4', `${model}.json`)]),
  ) as Record<Single, { data: { attributes: Record<string, unknown> } }>;
  for (const model of SINGLES) backend.on(`/api/${model}`, singles[model]);
  for (const [model, [path]] of Object.entries(COLLECTIONS) as [
    Collection,
    (typeof COLLECTIONS)[Collection],
  ][])
    backend.on(
      `/api/${path}`,
      listOfRows(() => listOf(published, model) as readonly ListRow[]),
    );

  for (const name of ['Guides', 'News', 'Cases'])
    cms.add('category', { ...texts(name), name, slug: name.toLowerCase() });
  for (const name of ['Ann', 'Bob']) cms.add('author', { name, description: `${name} writes.` });
  for (const slug of ['about', 'commerce', 'terms']) cms.add('page', { ...texts(slug), slug });
  for (const slug of ['payouts', 'links']) cms.add('business-solution', { ...texts(slug), slug });
  cms.add('commerce', { ...texts('shops'), slug: 'shops', cover: files[0] });
  cms.add('social', { link: 'https://chat.example/us', icon: files[0] });
  for (const [at, { category, author, cover, date }] of articles.entries())
    cms.add('article', {
      ...texts(`Article ${at}`),
      slug: `article-${at}`,
      date: isDated ? dayOf(date) : null,
      category: listOf(published, 'category')[category],
      author: listOf(published, 'author')[author],
      cover: cover === 2 ? null : files[cover],
    });

  return {
    ...cms,
    backend,
    files,
    rows: model => listOf(published, model),
    drafts: model => listOf(withdrawn, model),
    addresses() {
      const slugs = (model: Collection) =>
        listOf(published, model).map(({ slug }) => encodeURIComponent(canonical(slug)));
      for (const slug of slugs('category'))
        for (const page of ['', '?page=2']) seen.add(`/blog/${slug}${page}`);
      for (const { slug, category } of listOf(published, 'article'))
        if (category)
          seen.add(`/blog/${canonical((category as CmsRow).slug)}/${encodeURIComponent(canonical(slug))}`);
      for (const slug of slugs('page')) seen.add(`/${slug}`);
      for (const slug of slugs('business-solution')) seen.add(`/business-solutions/${slug}`);
      for (const slug of slugs('commerce')) seen.add(`/commerce/${slug}`);
      return ['/', '/blog', '/business-solutions', '/never', ...seen];
    },
    close: () => backend.close(),
  };
}

const canonical = (slug: unknown): string => String(slug).toLowerCase().normalize('NFC');

/** @returns one of few days, so that articles often share one. */
export const dayOf = (day: number): string => `2026-05-0${(day % 4) + 1}`;

/** @returns the fields of an entry with a text. */
function texts(title: string): Record<string, unknown> {
  return {
    ...{ title, h1: `Heading of ${title}`, description: `About ${title}` },
    body: `Text of ${title}.`,
    questions: [{ question: `Why ${title}?`, answer: 'Because.' }],
  };
}
