import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { inFull } from '../support/in-full.ts';
import { startRelay } from '../support/relay.ts';
import { sendRequest } from '../support/send-request.ts';
import { cmsTest } from './support/cms-test.ts';
import { endStrapi, runStrapi } from './support/strapi.ts';

/**
 * Pause between two sweeps. The long form uses the default, with which the short form would wait 12 s for
 * each change.
 */
const SWEEP_MS = inFull ? 12_000 : 1_000;
/** Times promised by decisions 062 and 038, on a quiet machine. */
const SHOWN_BY_SWEEP_MS = 15_000;
const SHOWN_AFTER_OUTAGE_MS = 1_000;

const it = cmsTest
  /** Relays the events of the CMS to the site. While the relay is down, events are lost. */
  .extend('events', { scope: 'file' }, async ({ sitePort }, { onCleanup }) => {
    const relay = await startRelay(`http://127.0.0.1:${sitePort}`);
    onCleanup(() => relay.close());
    return relay;
  })
  .extend('cmsEnv', { scope: 'file' }, async ({ events }) => ({ SITE_URL: events.url }))
  /** Relays the site's calls to the CMS. */
  .extend('calls', { scope: 'file' }, async ({ cms }, { onCleanup }) => {
    const relay = await startRelay(cms.url);
    onCleanup(() => relay.close());
    return relay;
  })
  .extend('contentBaseUrl', { scope: 'file' }, async ({ calls }) => calls.url)
  .extend('siteEnv', { scope: 'file' }, async () => ({ CONTENT_SWEEP_MS: String(SWEEP_MS) }))
  /**
   * Waits until a page passes a check. The full form prints the time since the change.
   * @returns that time in ms.
   */
  .extend('shown', async ({ getPage }) => {
    return async (
      what: string,
      path: string,
      check: (page: { status: number; text: string }) => boolean,
      since = performance.now(),
    ): Promise<number> => {
      await eventually(
        async () => expect(check(await getPage(path)), `${what} on ${path}`).toBe(true),
        18_000,
      );
      const ms = performance.now() - since;
      if (inFull) process.stdout.write(`${what}: shown on ${path} after ${ms.toFixed(0)} ms\n`);
      return ms;
    };
  });

describe('changes without an event', () => {
  it('without events the sweep finds changed texts, tags and settings, and new, deleted and unpublished entries', async ({
    admin,
    events,
    getPage,
    shown,
    site,
  }) => {
    const articles = '/content-manager/collection-types/api::article.article';
    const slugs = ['getting-paid-in-brazil', 'refunds-across-borders', 'chargebacks-without-panic'];
    const [changed, deleted, unpublished] = slugs.map(slug => `/blog/guides/${slug}`) as [
      string,
      string,
      string,
    ];
    for (const path of [changed, deleted, unpublished, '/blog/guides', '/blog/tags/fees', '/about'])
      expect([path, (await getPage(path)).status]).toEqual([path, 200]);
    const list = await admin.list('article');
    const [first, second, third] = slugs.map(
      slug => list.find(article => article.slug === slug)?.documentId ?? '',
    );
    const category = (await admin.list('category')).find(({ slug }) => slug === 'guides')?.documentId;
    const tag = (await admin.list('tag')).find(({ name }) => name === 'Fees')?.documentId;
    await site.site.contentSweep.sweep();

    events.goDown();
    try {
      const since = performance.now();
      await admin.publish('article', first ?? '', { title: 'Told by nobody' });
      await admin.publish('settings', null, { siteName: 'A name that nobody told' });
      await admin.remove('article', second ?? '');
      await admin.call('POST', `${articles}/${third}/actions/unpublish`, {});
      const created = await admin.create('article', {
        title: 'A new article that nobody told of',
        slug: 'told-by-nobody',
        category: { connect: [{ documentId: category }] },
      });
      // The article gets today's date, so it is first in the list.
      await admin.publish('article', created, {});
      await admin.publish('tag', tag ?? '', { description: 'A tag of which nobody told.' });
      const times = [
        await shown('a new text', changed, ({ text }) => text.includes('Told by nobody'), since),
        await shown('a deletion', deleted, ({ status }) => status === 404, since),
        await shown('an end of publication', unpublished, ({ status }) => status === 404, since),
        await shown('a new entry', '/blog/guides', ({ text }) => text.includes('/told-by-nobody'), since),
        await shown('a tag', '/blog/tags/fees', ({ text }) => text.includes('of which nobody told'), since),
        await shown('the settings', '/about', ({ text }) => text.includes('A name that nobody told'), since),
      ];
      const { text } = await getPage('/blog/guides');
      for (const slug of slugs.slice(1)) expect(text.includes(`/blog/guides/${slug}"`), slug).toBe(false);
      expect(site.log.filter(({ code }) => code === 'webhook-accepted')).toEqual([]);
      if (inFull) expect(Math.max(...times)).toBeLessThanOrEqual(SHOWN_BY_SWEEP_MS);
    } finally {
      events.reset();
    }
  });
});

describe('a publish 1.5 s after the end of an outage of the CMS', () => {
  /** Pages requested before the outage, and one first requested during it. */
  const PATHS = { press: '/press', terms: '/terms', cookies: '/cookies' } as const;

  it.for(inFull ? (['network', 'process'] as const) : (['network'] as const))(
    'a publish 1.5 s after an outage of the CMS is shown at once (%s)',
    async (kind, { admin, calls, cms, cmsSettings, getPage, shown, site }) => {
      const backend = async () => (await sendRequest(site.opsUrl, '/readyz')).json().backend;
      const pages = (await admin.list('page')).filter(({ slug }) => String(slug) in PATHS);
      expect(pages).toHaveLength(3);
      const unknown = kind === 'network' ? PATHS.cookies : null;
      for (const path of Object.values(PATHS)) if (path !== unknown) await getPage(path);
      let again = cms;
      try {
        if (kind === 'network') calls.goDown();
        else await endStrapi(cms.child);
        let visit = 0;
        await eventually(async () => {
          visit += 1;
          await getPage(`/never-seen-${visit}`);
          expect(await backend()).toBe('down');
        });
        if (unknown) expect((await getPage(unknown)).status).toBe(503);
        if (kind === 'network') calls.reset();
        else again = await runStrapi(cmsSettings);
        // This delay is part of the scenario: an editor sees that the CMS works again, and publishes.
        await delay(1_500);
        const times: number[] = [];
        for (const { slug, documentId } of pages) {
          const marker = `Published after an outage (${kind}).`;
          await admin.publish('page', documentId, { description: marker });
          const path = PATHS[slug as keyof typeof PATHS];
          times.push(
            await shown(`a publish after an outage (${kind})`, path, ({ text }) => text.includes(marker)),
          );
        }
        if (inFull) expect(Math.max(...times)).toBeLessThanOrEqual(SHOWN_AFTER_OUTAGE_MS);
      } finally {
        if (again !== cms) await endStrapi(again.child);
      }
    },
  );
});
