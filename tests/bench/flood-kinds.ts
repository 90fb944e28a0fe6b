import type { AskOptions } from '../faults/client.ts';

type FloodRequest = AskOptions & { path: string };

const form = (number: number) =>
  new URLSearchParams({
    form: 'contact',
    name: 'Ada',
    email: 'ada@example.com',
    message: `A message with the number ${number}.`,
    page: '/',
  }).toString();

/** The categories of the recorded backend, in its order. */
const CATEGORIES = ['news', 'guides', 'cases'] as const;

/** The path of an article of `startFaultyBackend`, which divides its articles among the categories. */
const articlePath = (number: number): string =>
  `/blog/${CATEGORIES[number % CATEGORIES.length]}/article-${number}`;

/** Requests that are cheap to send. Each makes a request from its number, and no two are alike where an address can differ. */
export const FLOODS = {
  // The control: the machine and the load alone do this to the visits beside it.
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
} satisfies Record<string, (number: number) => FloodRequest>;

export type FloodKind = keyof typeof FLOODS;
