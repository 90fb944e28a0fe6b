import { capture, type FakeBackend } from './fake-backend.ts';

/** Extreme content: lists of forty, one or no members, and very long words. Its pictures do not exist. */
export type Stress = 'forty' | 'one' | 'nothing' | 'long-words';

export const LONG_WORD = 'Auslandszahlungsverkehrsdienstleistungsgesellschaftsvertretung';

/** Fields with text for readers. All other strings are identifiers and stay. */
const TEXTS = new Set(
  'title text label note eyebrow h1 description question answer name position email phone address alternativeText'.split(
    ' ',
  ),
);
const BLOCKS = /^(?:.*Block|metricsBlock.*|contactsList.*|faqBlockContent|positionsAndCustomBlocks)$/;

/** Settings without stylesheets and scripts, which the backend does not serve. */
const NO_EXTRAS = { customCss: null, scripts: null };

type Attributes = Record<string, unknown>;

/** Makes a fake backend answer with extreme content. */
export function putUnderStress(backend: FakeBackend, stress: Stress): void {
  const change = { forty, one, nothing, 'long-words': longWords }[stress];
  for (const [path, file] of [
    ['/api/landing', 'landing.json'],
    ['/api/settings', 'settings.json'],
    ['/api/main-page', 'main-page.json'],
  ] as const) {
    const answer = capture('v5-as-v4', file) as { data: { attributes: Attributes } };
    answer.data.attributes = { ...change(answer.data.attributes), ...NO_EXTRAS };
    backend.on(path, answer);
  }
  if (stress !== 'long-words') return;
  for (const type of ['categories', 'authors', 'business-solutions', 'commerces', 'pages']) {
    backend.on(`/api/${type}`, longWords(capture('v5-as-v4', `${type}.json`)));
  }
  backend.on('/api/articles', longWords(capture('v5-as-v4', 'article-by-slug-deep.json')));
}

/** @returns all blocks of the landing page, in their usual order. */
function complete(attributes: Attributes): Attributes {
  return 'positionsAndCustomBlocks' in attributes
    ? { ...attributes, positionsAndCustomBlocks: null, subscribeBlockSocials: SOCIALS }
    : attributes;
}

const SOCIALS = [{ title: 'Letter', href: 'https://example.com/letter' }];

function forty(attributes: Attributes): Attributes {
  return resizeLists(complete(attributes), 40) as Attributes;
}

function one(attributes: Attributes): Attributes {
  return resizeLists(complete(attributes), 1) as Attributes;
}

function nothing(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(complete(attributes)).map(([key, value]) => {
      if (BLOCKS.test(key)) return [key, null];
      return [key, Array.isArray(value) ? [] : Array.isArray(rowsOf(value)) ? { data: [] } : value];
    }),
  );
}

function longWords<T>(value: T): T {
  return deep('attributes' in Object(value) ? value : complete(value as Attributes), (text, key) => {
    if (key === 'body')
      return `## ${LONG_WORD}\n\n${LONG_WORD}\n\n| ${LONG_WORD} | 1 |\n|---|---|\n| 2 | ${LONG_WORD} |`;
    return TEXTS.has(key) ? `${LONG_WORD} ${LONG_WORD}` : text;
  }) as T;
}

/**
 * Gives every list this number of members by repeating or omitting members. Inner lists have at most three.
 */
function resizeLists(value: unknown, size: number): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) return value;
    return Array.from({ length: size }, (_, index) =>
      resizeLists(value[index % value.length], Math.min(size, 3)),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resizeLists(inner, size)]));
}

function rowsOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'data' in value ? value.data : null;
}

function deep(value: unknown, change: (text: string, key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value))
    return value.map(inner => deep(inner, change, key === 'contactsListWithCheckmarks' ? 'text' : key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deep(inner, change, name)]));
}
