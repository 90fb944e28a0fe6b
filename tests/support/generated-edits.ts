import fc from 'fast-check';
import { type CmsRow, type Collection, dayOf, type GeneratedCms } from './generated-cms.ts';

/** An edit whose entry is not chosen yet. */
export interface Edit {
  kind: EditKind;
  /** Number that chooses the entry. */
  at: number;
  /** Number that chooses the new value. */
  to: number;
}

type Apply = (cms: GeneratedCms, at: number, to: number) => object | null;

/** Few slugs, so that entries clash, in spellings that databases compare differently. */
const SLUGS = ['renamed', 'Renamed', 'zwölf', 'Zwölf', 'article-0', 'article-1'];
const PAGE_MODELS = ['page', 'business-solution', 'commerce'] as const satisfies readonly Collection[];

const pick = <T>(list: readonly T[], at: number): T | null => list[at % list.length] ?? null;

/** @returns an edit that publishes a row of a model with other fields. */
function published(model: Collection, fields: (to: number, cms: GeneratedCms, row: CmsRow) => object): Apply {
  return (cms, at, to) => {
    const row = pick(cms.rows(model), at);
    return row && cms.publish(model, row, { ...fields(to, cms, row) });
  };
}

const onPages =
  (apply: (model: Collection) => Apply): Apply =>
  (cms, at, to) =>
    apply(PAGE_MODELS[at % PAGE_MODELS.length] ?? 'page')(cms, to, at);

const withdrawn =
  (model: Collection, event: 'entry.unpublish' | 'entry.delete'): Apply =>
  (cms, at) => {
    const row = pick(cms.rows(model), at);
    return row && cms.withdraw(model, row, event);
  };

const republished =
  (model: Collection): Apply =>
  (cms, at) => {
    const row = pick(cms.drafts(model), at);
    return row && cms.publish(model, row);
  };

const EDITS = {
  'title of an article': published('article', to => ({ title: `Title ${to}` })),
  'body of an article': published('article', to => ({ body: `Body ${to}.` })),
  'slug of an article': published('article', to => ({ slug: pick(SLUGS, to) })),
  'category of an article': published('article', (to, cms) => ({ category: pick(cms.rows('category'), to) })),
  'author of an article': published('article', (to, cms) => ({ author: pick(cms.rows('author'), to) })),
  'cover of an article': published('article', (to, cms) => ({ cover: pick([...cms.files, null], to) })),
  'date of an article': published('article', to => ({ date: to % 5 === 4 ? null : dayOf(to) })),
  'questions of an article': published('article', to => ({
    questions: to % 2 ? [] : [{ question: `What is ${to}?`, answer: 'A number.' }],
  })),
  'publish of an article that did not change': published('article', () => ({})),
  'new article': (cms, at, to) =>
    cms.add('article', {
      ...{ title: `New ${to}`, slug: pick(SLUGS, to), body: 'New.', date: dayOf(to) },
      ...{ category: pick(cms.rows('category'), at), author: pick(cms.rows('author'), to), cover: null },
    }),
  'unpublish of an article': withdrawn('article', 'entry.unpublish'),
  'delete of an article': withdrawn('article', 'entry.delete'),
  'publish of a draft': republished('article'),
  'name of a category': published('category', to => ({ name: `Category ${to}` })),
  'text of a category': published('category', to => ({ description: `Description ${to}` })),
  'slug of a category': published('category', to => ({
    slug: pick(['guides', 'topics', 'Topics', 'zwölf'], to),
  })),
  'questions of a category': published('category', to => ({
    questions: [{ question: `Which ${to}?`, answer: 'This one.' }],
  })),
  'new category': (cms, _at, to) => cms.add('category', { name: `Category ${to}`, slug: `topic-${to}` }),
  'delete of a category': withdrawn('category', 'entry.delete'),
  'name of an author': published('author', to => ({ name: `Author ${to}` })),
  'text of an author': published('author', to => ({ description: `Writes about ${to}.` })),
  'delete of an author': withdrawn('author', 'entry.delete'),
  'title of a page': onPages(model => published(model, to => ({ title: `Page ${to}` }))),
  'body of a page': onPages(model => published(model, to => ({ body: `Page body ${to}.` }))),
  'slug of a page': onPages(model => published(model, to => ({ slug: `page-${to % 3}` }))),
  'unpublish of a page': onPages(model => withdrawn(model, 'entry.unpublish')),
  'publish of the draft of a page': onPages(republished),
  settings: (cms, _at, to) =>
    cms.change('settings', () => ({ headerLinks: [{ title: `Link ${to}`, href: '/blog' }] })),
  'text of the landing page': (cms, _at, to) =>
    cms.change('landing', ({ headerBlock }) => ({
      headerBlock: { ...(headerBlock as object), text: `Landing ${to}` },
    })),
  'links of the subscribe block': (cms, _at, to) =>
    cms.change('landing', () => ({
      subscribeBlockSocials: [{ title: `Letter ${to}`, href: 'https://letter.example/' }],
    })),
  'contacts on the landing page': (cms, _at, to) =>
    cms.change('landing', ({ contactsBlock }) => ({
      contactsBlock: { ...(contactsBlock as object), text: `Write to ${to}.` },
    })),
  'blog page': (cms, _at, to) => cms.change('main-page', () => ({ h1: `Blog ${to}` })),
  'social network': published('social', to => ({ link: `https://chat.example/${to}` })),
  'new redirect': (cms, at, to) =>
    cms.add('redirect', {
      from: decodeURIComponent(pick(cms.addresses(), at)?.replace(/\?.*/, '') ?? '/'),
      to: '/terms',
      statusCode: pick([301, 307, 410], to),
    }),
  'target of a redirect': published('redirect', to => ({ to: `/blog?to=${to}` })),
  'delete of a redirect': withdrawn('redirect', 'entry.delete'),
  'alternative text of a picture': (cms, at, to) => {
    const file = pick(cms.files, at);
    return file && cms.describe(file, `Picture ${to}`);
  },
} as const satisfies Readonly<Record<string, Apply>>;

export type EditKind = keyof typeof EDITS;

/** Edits of articles come more often, because most pages show them. */
const KINDS = Object.keys(EDITS) as EditKind[];
const OF_ARTICLES = KINDS.filter(kind => kind.includes('article'));

/** @returns a sequence of edits. */
export const edits = (minLength: number, maxLength: number): fc.Arbitrary<Edit[]> =>
  fc.array(fc.record({ kind: fc.constantFrom(...KINDS, ...OF_ARTICLES), at: fc.nat(99), to: fc.nat(99) }), {
    minLength,
    maxLength,
  });

/** Makes an edit. @returns its event, or null if nothing can be edited. */
export function applyEdit(cms: GeneratedCms, { kind, at, to }: Edit): object | null {
  return EDITS[kind](cms, at, to);
}
