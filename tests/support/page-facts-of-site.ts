import type { CacheEntry } from '../../server/cache/entry-store.ts';
import type { StoredPage } from '../../server/page-cache/stored-page.ts';
import type { RunningSite } from './start-site.ts';

/** @returns the number of pages that a site has rendered as HTML. */
export async function rendersOf({ site }: RunningSite): Promise<number> {
  const metric = await site.metrics.registry.getSingleMetricAsString('site_render_duration_seconds');
  return Number(/_count (\d+)/.exec(metric)?.[1] ?? 0);
}

/** @returns the entry of an address in memory, for any device class, or null. */
export function storedPageOf({ site }: RunningSite, address: string): CacheEntry<StoredPage> | null {
  const found = [...site.pages.entries()].find(({ key }) => {
    const [form, url] = key.split(' ');
    return form === 'page' && url !== undefined && new URL(url).pathname === address;
  });
  return found?.entry ?? null;
}
