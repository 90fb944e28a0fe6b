import { breadcrumbsJsonLd } from '../../../server/loading/json-ld.ts';
import { type Loader, locationOf, type RouteContent } from '../../../server/loading/loader.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';
import { blogCrumb } from '../../parts/articles/article-lists.server.ts';
import { linkTo, monthsByYear, periodNames } from './archive.server.ts';

const loadArchive: Loader<'blog-archive'> = async ({ reader, path, origin, labels }) => {
  const [years, words] = await Promise.all([monthsByYear(reader), labels()]);
  const names = periodNames(words);
  const breadcrumbs: readonly Breadcrumb[] = [blogCrumb(words), { title: words.text('archive'), href: null }];
  const title = words.text('archiveTitle');
  return {
    kind: 'page',
    data: {
      h1: title,
      years: years.map(({ year, months }) => ({
        ...linkTo(year, names),
        months: months.map(month => linkTo(month, names)),
      })),
      breadcrumbs,
    },
    head: { title, description: words.text('archiveNote') },
    jsonLd: breadcrumbsJsonLd(breadcrumbs, path, origin),
  };
};

const content: RouteContent<'blog-archive'> = {
  load: loadArchive,
  locations: async reader => ((await reader.years()).length > 0 ? [locationOf('blog-archive', {})] : []),
};

export default content;
