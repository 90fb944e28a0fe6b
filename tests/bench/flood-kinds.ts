import type { AskOptions } from '../faults/client.ts';

export type FloodRequest = AskOptions & { path: string };

const form = (number: number) =>
  new URLSearchParams({
    form: 'contact',
    name: 'Ada',
    email: 'ada@example.com',
    message: `A message with the number ${number}.`,
    page: '/',
  }).toString();

/** Categories of the recorded backend, in its order. */
const CATEGORIES = ['news', 'guides', 'cases'] as const;

/**
 * @returns the path of an article of `startFaultyBackend`, which divides its articles among the categories.
 */
const articlePath = (number: number): string =>
  `/blog/${CATEGORIES[number % CATEGORIES.length]}/article-${number}`;

/** As many cookies as a request can carry. */
const FORGED = Array.from({ length: 180 }, () => `__Host-preview=draft.9999999999.${'x'.repeat(43)}`).join(
  '; ',
);

/**
 * Requests that are cheap to send. Each is made from its number, and variable addresses are all different.
 */
export const FLOODS = {
  // Control: shows the effect of the machine and the load alone.
  'a stored page': () => ({ path: '/blog' }),
  'unknown paths without a route': number => ({ path: `/no/such/page/at/${number}` }),
  'unknown slugs': number => ({ path: `/abuot-${number}` }),
  'unknown articles': number => ({ path: `/blog/guides/verifing-webhook-${number}` }),
  sitemap: () => ({ path: '/sitemap.xml' }),
  feed: () => ({ path: '/blog/feed.xml' }),
  '?sent=': number => ({ path: `/?sent=contact&n=${number}` }),
  '429 posts': number => ({
    path: '/api/email/send',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form(number),
  }),
  'cold pages': number => ({ path: articlePath(number) }),
  'an unknown path': () => ({ path: '/no/such/page/again' }),
  'an unknown upload': () => ({ path: '/uploads/no-such.png' }),
  'unknown uploads': number => ({ path: `/uploads/no-such-${number}.png` }),
  'a refused rendition': () => ({ path: '/images/640.avif?src=%2Fuploads%2Fno-such.png' }),
  'refused renditions': number => ({ path: `/images/640.avif?src=%2Fuploads%2Frefused-${number}.png` }),
  'a share card': () => ({ path: '/images/card.jpg?page=%2Fblog%2Fguides' }),
  'unknown share cards': number => ({ path: `/images/card.jpg?page=%2Fno%2Fsuch%2F${number}` }),
  'unknown share cards of articles': number => ({
    path: `/images/card.jpg?page=%2Fblog%2Fguides%2Fno-such-${number}`,
  }),
  'an unknown share card': () => ({ path: '/images/card.jpg?page=%2Fblog%2Fguides%2Fno-such' }),
  'wrong secrets of a webhook': () => ({
    path: '/webhooks/content',
    method: 'POST',
    headers: { authorization: 'Bearer wrong' },
  }),
  'wrong secrets of a preview': () => ({ path: '/api/preview?secret=wrong&url=%2F' }),
  'wrong tokens of a subscriber': number => ({ path: `/subscribe/leave?token=wrong.${number}.wrong` }),
  'hosts that are not served': () => ({ path: '/', headers: { host: 'other.example' } }),
  'methods that are not allowed': () => ({ path: '/', method: 'DELETE' }),
  'malformed addresses': number => ({ path: `/%zz-${number}` }),
  '180 forged preview cookies': () => ({ path: '/blog', headers: { cookie: FORGED } }),
} satisfies Record<string, (number: number) => FloodRequest>;

export type FloodKind = keyof typeof FLOODS;

/**
 * Floods of addresses that the site has not seen. Each answer is generated, so its CPU time has no target.
 */
export const MADE: ReadonlySet<FloodKind> = new Set([
  'unknown paths without a route',
  'unknown slugs',
  'unknown articles',
  '429 posts',
  'cold pages',
  'unknown uploads',
  'refused renditions',
  'unknown share cards of articles',
]);
