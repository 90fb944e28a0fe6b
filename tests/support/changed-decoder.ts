import type { ContentApi } from '../../server/content/content-api.ts';
import type { ContentRequest } from '../../server/content/content-request.ts';

/** @returns a request that decodes answers as another build would: it changes the value and its version. */
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

/** @returns the API with requests that add their key to `decoded` whenever an answer is decoded. */
export function withDecodes(api: ContentApi, decoded: string[]): ContentApi {
  const noting = <T extends object | null>(request: ContentRequest<T>): ContentRequest<T> => ({
    ...request,
    decode(...args) {
      decoded.push(request.key);
      return request.decode(...args);
    },
  });
  return {
    ...api,
    categories: () => noting(api.categories()),
    settings: () => noting(api.settings()),
    socials: () => noting(api.socials()),
    authors: () => noting(api.authors()),
    landing: () => noting(api.landing()),
    mainPage: () => noting(api.mainPage()),
    articleCount: () => noting(api.articleCount()),
    articleOrder: () => noting(api.articleOrder()),
    articlesOfCategory: (slug, page, order, stored) =>
      noting(api.articlesOfCategory(slug, page, order, stored)),
    newestArticles: (count, order) => noting(api.newestArticles(count, order)),
    articlesWithSlug: (slug, spelling) => noting(api.articlesWithSlug(slug, spelling)),
    entries: type => noting(api.entries(type)),
    entry: (type, slug) => noting(api.entry(type, slug)),
    redirects: () => noting(api.redirects()),
  };
}
