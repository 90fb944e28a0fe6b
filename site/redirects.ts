import { routes } from './routes.ts';

/** Redirects from the former addresses of pages, which their routes name. */
const formerAddresses = routes.flatMap(route =>
  ('former' in route ? route.former : []).map(former => ({
    id: `site:former:${former}`,
    from: `${former}/**`,
    to: route.path.replace(/:slug$/, '**'),
    statusCode: 308,
  })),
);

/** Redirects for addresses that people and feed readers guess. They precede the redirects of editors. */
export const siteRedirects = [
  { id: 'site:index', from: '/index.html', to: '/', statusCode: 308 },
  { id: 'site:feed', from: '/feed', to: '/blog/feed.xml', statusCode: 308 },
  { id: 'site:feed-xml', from: '/feed.xml', to: '/blog/feed.xml', statusCode: 308 },
  { id: 'site:atom', from: '/atom.xml', to: '/blog/atom.xml', statusCode: 308 },
  { id: 'site:json-feed', from: '/feed.json', to: '/blog/feed.json', statusCode: 308 },
  { id: 'site:rss', from: '/rss.xml', to: '/blog/feed.xml', statusCode: 308 },
  { id: 'site:blog-feed', from: '/blog/feed', to: '/blog/feed.xml', statusCode: 308 },
  ...formerAddresses,
];
