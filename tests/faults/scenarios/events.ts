import { setTimeout as delay } from 'node:timers/promises';
import { askAnyway } from '../client.ts';
import { type FaultyArticle, revisionIn } from '../faulty-backend.ts';
import { askAll, askAllServed, onStage, type StageSizes, WEBHOOK_SECRET } from '../stage.ts';
import { startTraffic } from '../traffic.ts';

export interface EventsSizes extends StageSizes {
  events: number;
  perSecond: number;
  eventsPerSecond: number;
  /** Share of the webhooks that never arrive. */
  lost: number;
  /** Greatest delay of a webhook. Webhooks with different delays change their order. */
  lateMs: number;
  seed: number;
}

export interface EventsOutcome {
  seed: number;
  sent: number;
  lost: number;
  /** Statuses of webhooks that were not answered with 200. */
  refused: number[];
  /** A line for each article that is wrong in its second response. */
  wrong: string[];
  compared: number;
}

/** Fault 6: editors publish, change and unpublish articles at random, and some webhooks are lost. */
export function events(sizes: EventsSizes): Promise<EventsOutcome> {
  const { perSecond, eventsPerSecond, lost, lateMs, seed, ttlMs } = sizes;
  return onStage(sizes, {}, async ({ backend, site, seen }) => {
    const random = randomNumbers(seed);
    const traffic = startTraffic(site.url, seen, perSecond);
    const webhooks: Promise<number>[] = [];
    let lostCount = 0;
    for (let number = 0; number < sizes.events; number += 1) {
      const article = backend.articles[Math.floor(random() * backend.articles.length)];
      if (!article) throw new Error('There are no articles');
      const event = change(article, random());
      if (random() < lost) lostCount += 1;
      else {
        const late = random() * lateMs;
        webhooks.push(delay(late).then(() => announce(site.url, article, event)));
      }
      await delay(1_000 / eventsPerSecond);
    }
    const answers = await Promise.all(webhooks);
    await delay(ttlMs);
    await traffic.stop();

    const paths = [...seen, ...seen.map(path => `${path}/_payload.json`), ...categoryPages(backend.articles)];
    await askAll(site.url, paths);
    // The first responses have started revalidations, which end here.
    await settled(site);
    const replies = await askAllServed(site.url, paths);
    const expected = [
      ...backend.articles.map(articleState),
      ...backend.articles.map(articleState),
      ...categoryPages(backend.articles).map(path => listState(backend.articles, path)),
    ];
    const wrong = replies.flatMap(({ status, text }, index) => {
      const path = paths[index] ?? '';
      const shown = path.split('/').length === 3 ? listShown(text) : shownBy(status, text);
      return shown === expected[index] ? [] : [`${path}: ${shown}, expected ${expected[index]}`];
    });
    return {
      seed,
      sent: answers.length,
      lost: lostCount,
      refused: answers.filter(status => status !== 200),
      wrong,
      compared: paths.length,
    };
  });
}

/**
 * Unpublishes or changes a published article, or publishes an unpublished one. @returns the event for the
 * webhook.
 */
function change(article: FaultyArticle, chance: number): 'entry.publish' | 'entry.unpublish' {
  if (article.isPublished && chance < 0.5) {
    article.isPublished = false;
    return 'entry.unpublish';
  }
  article.isPublished = true;
  article.revision += 1;
  return 'entry.publish';
}

async function announce(base: string, article: FaultyArticle, event: string): Promise<number> {
  const { documentId, number, slug } = article;
  const reply = await askAnyway(base, '/webhooks/content', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${WEBHOOK_SECRET}` },
    body: JSON.stringify({
      event,
      model: 'article',
      uid: 'api::article.article',
      entry: { id: number + 1, documentId, slug, publishedAt: new Date().toISOString() },
    }),
  });
  return reply.status;
}

async function settled(site: { metric(name: string): Promise<number> }): Promise<void> {
  for (let times = 0; times < 200; times += 1) {
    if ((await site.metric('site_page_renders_in_flight')) === 0) return;
    await delay(25);
  }
}

function categoryPages(articles: readonly FaultyArticle[]): string[] {
  return [...new Set(articles.map(({ category }) => `/blog/${category.slug}`))];
}

function articleState({ isPublished, revision }: FaultyArticle): string {
  return isPublished ? `revision ${revision}` : 'gone';
}

/** @returns the state of an article in a response. The payload of a 404 page has the status 200. */
function shownBy(status: number, text: string): string {
  const revision = revisionIn(text);
  if (status === 404 || (status === 200 && revision === null && text.includes('"statusCode":404')))
    return 'gone';
  return status === 200 && revision !== null ? `revision ${revision}` : `status ${status}`;
}

/** @returns the expected first page of a category: its newest articles in order, each with its revision. */
function listState(articles: readonly FaultyArticle[], path: string): string {
  return articles
    .filter(({ isPublished, category }) => isPublished && path === `/blog/${category.slug}`)
    .slice(0, LISTED)
    .map(({ number, revision }) => `${number}:${revision}`)
    .join(' ');
}

const LISTED = 6;

function listShown(text: string): string {
  const rows = text.matchAll(/"title":"Article (\d+)","description":"Revision (\d+)\."/g);
  return Array.from(rows, ([, number, revision]) => `${number}:${revision}`)
    .slice(0, LISTED)
    .join(' ');
}

/** Random numbers from 0 to 1, equal for equal seeds (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
