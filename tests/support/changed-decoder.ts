import type { ContentApi } from '../../server/content/requests/content-api.ts';
import type { ContentRequest } from '../../server/content/requests/content-request.ts';

/** @returns a request that decodes answers as another build would, with a changed value and version. */
export function redecoded<T extends object | null>(
  request: ContentRequest<T>,
  change: (value: T) => T,
): ContentRequest<T> {
  return {
    ...request,
    async decode(...args) {
      const decoded = await request.decode(...args);
      return { ...decoded, value: change(decoded.value), version: `changed ${decoded.version}` };
    },
  };
}

/** Changes a request and keeps the type of its value. */
type WrapRequest = <T extends object | null>(request: ContentRequest<T>) => ContentRequest<T>;

/** @returns the API with every request changed. */
export function withRequests(api: ContentApi, wrap: WrapRequest): ContentApi {
  return {
    ...api,
    categories: () => wrap(api.categories()),
    settings: () => wrap(api.settings()),
    socials: () => wrap(api.socials()),
    authors: () => wrap(api.authors()),
    landing: () => wrap(api.landing()),
    mainPage: () => wrap(api.mainPage()),
    articleCount: () => wrap(api.articleCount()),
    articleOrder: () => wrap(api.articleOrder()),
    articlesOfCategory: (slug, page, order, stored) =>
      wrap(api.articlesOfCategory(slug, page, order, stored)),
    newestArticles: (count, order) => wrap(api.newestArticles(count, order)),
    newestOfGroup: (...asked) => wrap(api.newestOfGroup(...asked)),
    articlesWithSlug: (slug, spelling) => wrap(api.articlesWithSlug(slug, spelling)),
    entries: type => wrap(api.entries(type)),
    entry: (type, slug) => wrap(api.entry(type, slug)),
    redirects: () => wrap(api.redirects()),
  };
}

/** @returns the API with requests that add their key to `decoded` whenever an answer is decoded. */
export function withDecodes(api: ContentApi, decoded: string[]): ContentApi {
  return withRequests(api, request => ({
    ...request,
    decode(answers) {
      decoded.push(request.key);
      return request.decode(answers);
    },
  }));
}

/** @returns the API of a build whose content types have one more field, also in parts of single types. */
export function withNewField(api: ContentApi, name: string, value: unknown): ContentApi {
  // The cast is safe, because a value with one more field still has its type.
  return withRequests(api, request =>
    redecoded(request, decoded => withField(decoded, { [name]: value }, 0) as typeof decoded),
  );
}

/** Levels below a value at which objects get the new field: entities in lists, blocks in single types. */
const DEPTH = 2;

function withField(value: unknown, field: Readonly<Record<string, unknown>>, depth: number): unknown {
  const below = (part: unknown) => withField(part, field, depth + 1);
  if (typeof value !== 'object' || value === null || depth > DEPTH) return value;
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, below(item)]));
  if (Array.isArray(value)) return value.map(below);
  const parts = Object.entries(value).map(([key, part]) => [key, below(part)]);
  return { ...Object.fromEntries(parts), ...field };
}
