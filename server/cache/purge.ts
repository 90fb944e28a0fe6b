import type { Site } from '../site.ts';
import { EVERYTHING } from './purges.ts';

/** The tag that means: all of it. */
export { EVERYTHING };

/**
 * Makes stale, at once and in all layers, what was made from something that has changed.
 *
 * @param tags such as `articles` and `articles:42`; `*` is everything.
 * @param dropped whether it is gone (unpublished, deleted): what is about it is then removed.
 */
export function purge(
  { purges, content, pages }: Pick<Site, 'purges' | 'content' | 'pages'>,
  tags: readonly string[],
  dropped: boolean,
): void {
  purges.note(tags, dropped);
  for (const tag of tags) {
    if (tag === EVERYTHING) {
      content.cache.purgeAll();
      pages.purgeAll();
    } else {
      content.cache.purge(tag, dropped);
      pages.purge(tag, dropped);
    }
  }
}
