import { createServer } from 'node:http';
import { blocks } from '../../site/blocks.ts';
import { capture, sendJson, startFakeBackend } from '../support/fake-backend.ts';
import { close, listen } from '../support/listen.ts';
import { EVIL_ORIGIN, type HostileContent, VECTORS } from './hostile-vectors.ts';

export interface HostileBackend {
  url: string;
  /** Sets the content of later responses. */
  infect(content: HostileContent): void;
  close(): Promise<void>;
}

/**
 * Fields that keep their recorded values: addresses, ids, dates and types. Otherwise no page could be
 * visited.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['slug', 'documentId', 'hash', 'ext', 'mime', 'provider', 'block'],
  ...['createdAt', 'updatedAt', 'publishedAt', 'from'],
]);

/** Fields that the site reads and the recorded entries lack. */
const FURTHER = { seoTitle: 'Title', seoDescription: 'Description', siteName: 'Name', contactForm: true };

const CUSTOM = { custom: '<p>A block</p>', id: 'custom-1' };

/** An SVG with scripts, which must not run when the file is opened as a document. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><script>alert(1)</script><image href="${EVIL_ORIGIN}/x.png"/></svg>`;

/**
 * Starts a backend with the recorded content. Half of all fields hold hostile texts, and all objects have
 * hostile keys.
 */
export async function startHostileBackend(): Promise<HostileBackend> {
  const recorded = await startFakeBackend();
  let content: HostileContent = { texts: VECTORS, half: 0 };
  const server = createServer(async (req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://backend');
    if (pathname.startsWith('/uploads/'))
      return void res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(PICTURE);
    const answer = await fetch(recorded.url + req.url);
    sendJson(res, answer.status, infected(pathname, await answer.json(), content));
  });
  return {
    url: await listen(server),
    infect(next) {
      content = next;
    },
    async close() {
      await close(server);
      await recorded.close();
    },
  };
}

/** The site loads stylesheets and scripts of the settings by design, so this backend has none. */
const SETTINGS_FILES = { customCss: { data: [] }, scripts: { data: [] } };

function infected(pathname: string, answer: unknown, content: HostileContent): unknown {
  const { data, meta } = answer as { data?: unknown; meta?: unknown };
  if (typeof data !== 'object' || data === null) return answer;
  let field = 0;

  /** Replaces every second text by a hostile one. */
  function textOf(original: string): string {
    field += 1;
    if (field % 2 !== content.half) return original;
    return content.texts[(field >> 1) % content.texts.length] ?? original;
  }

  function changed(value: unknown, key: string): unknown {
    if (typeof value === 'string') return KEPT.has(key) ? value : textOf(value);
    if (Array.isArray(value)) return value.map(item => changed(item, key));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, item]) => [name, changed(item, name)] as const);
    return withHostileKeys(Object.fromEntries(entries));
  }

  const furnished = (row: unknown) => {
    const { attributes, ...rest } = row as { attributes: object };
    const landing = pathname === '/api/landing' ? { positionsAndCustomBlocks: allBlocks() } : {};
    return { ...rest, attributes: { ...FURTHER, ...attributes, ...landing } };
  };
  const rows = Array.isArray(data) ? data.map(furnished) : furnished(data);
  const result = changed(rows, '') as { attributes: object };
  if (pathname === '/api/settings') Object.assign(result.attributes, SETTINGS_FILES);
  if (pathname !== '/api/redirects' && Array.isArray(result))
    result.push(...lastRowsUnderHostileSlugs(result, content));
  return { data: result, meta };
}

function allBlocks(): object[] {
  return [...blocks.map(({ name: block }) => ({ block })), CUSTOM];
}

/** Adds the keys as own properties, as `JSON.parse` does. */
function withHostileKeys(value: object): object {
  for (const key of ['__proto__', 'constructor', 'toString', 'toJSON', 'then']) {
    if (Object.hasOwn(value, key)) continue;
    Object.defineProperty(value, key, { value: { polluted: 'yes' }, enumerable: true, configurable: true });
  }
  return value;
}

/** @returns copies of the last row with hostile slugs. */
function lastRowsUnderHostileSlugs(rows: readonly unknown[], { texts }: HostileContent): unknown[] {
  const [last] = rows.slice(-1) as { attributes?: { slug?: string } }[];
  if (!last?.attributes?.slug) return [];
  return texts.slice(0, 5).map((slug, index) => ({
    ...last,
    id: 9_000 + index,
    documentId: `hostile-${index}`,
    attributes: { ...last.attributes, slug },
  }));
}

/** A page of each route of the recorded content. */
export const RECORDED_PATHS: readonly string[] = [
  '/',
  '/about',
  '/blog',
  '/blog/guides',
  ...(
    capture('v5-as-v4', 'articles-page-1.json').data as {
      attributes: { slug: string; category: { data: { attributes: { slug: string } } } };
    }[]
  )
    .slice(0, 1)
    .map(({ attributes: { slug, category } }) => `/blog/${category.data.attributes.slug}/${slug}`),
  '/business-solutions/payouts',
  '/commerce/online-shops',
];
