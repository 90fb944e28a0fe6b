import { HttpError } from '../../shared/payload/http-error.ts';
import type { ArchivePeriod, Breadcrumb } from '../../shared/payload/payload.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import type { PeriodCount } from '../content/lists/period-tags.ts';
import { blogCrumb, cardsOf, headOfPage, requestedPage, requireArticles } from './article-lists.ts';
import { breadcrumbsJsonLd } from './json-ld.ts';
import {
  type Loader,
  type LoaderContext,
  type LoaderResult,
  locationOf,
  type RouteContent,
} from './loader.ts';
import { type PeriodNames, periodNames } from './period-names.ts';

/** Loads the years and months with articles. */
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

/** @returns the years with articles and the months of each, the newest first. */
async function monthsByYear(
  reader: ContentReader,
): Promise<readonly { readonly year: PeriodCount; readonly months: readonly PeriodCount[] }[]> {
  const years = await reader.years();
  return Promise.all(years.map(async year => ({ year, months: await reader.monthsOf(year.period) })));
}

function linkTo({ period, count }: PeriodCount, names: PeriodNames): ArchivePeriod {
  const [year = '', month] = period.split('-');
  return {
    title: month === undefined ? names.year(period) : names.month(period),
    href: pathOf(year, month),
    count: names.count(count),
  };
}

function pathOf(year: string, month: string | undefined): string {
  return month === undefined
    ? pathTo('blog-archive-year', { year })
    : pathTo('blog-archive-month', { year, month });
}

/** Articles whose titles are the description of a period. */
const DESCRIBED = 3;

type PeriodRoute = 'blog-archive-year' | 'blog-archive-month';

/** Loads a page of the articles of a year, or of one of its months. A period without articles is a 404. */
async function loadPeriod(
  { reader, query, path, origin, labels }: Omit<LoaderContext<PeriodRoute>, 'params'>,
  year: string,
  month?: string,
): Promise<LoaderResult<PeriodRoute>> {
  const page = requestedPage(query, path);
  const period = month === undefined ? year : `${year}-${month}`;
  const months = await reader.monthsOf(year);
  const isKnown = month === undefined ? months.length > 0 : months.some(other => other.period === period);
  if (!isKnown) throw HttpError.notFound(path);
  const [list, words] = await Promise.all([reader.articlesOf({ by: 'period', id: period }, page), labels()]);
  requireArticles(list, path);
  const names = periodNames(words);
  const breadcrumbs: readonly Breadcrumb[] = [
    blogCrumb(words),
    { title: words.text('archive'), href: pathTo('blog-archive', {}) },
    ...(month === undefined
      ? [{ title: names.year(period), href: null }]
      : [
          { title: names.year(year), href: pathTo('blog-archive-year', { year }) },
          { title: names.month(period), href: null },
        ]),
  ];
  const title =
    month === undefined
      ? words.text('articlesOfYear', { year: names.year(period) })
      : words.text('articlesOfMonth', { month: names.monthOfYear(period) });
  return {
    kind: 'page',
    data: {
      h1: title,
      path: pathOf(year, month),
      months: months.map(other => linkTo(other, names)),
      list: cardsOf(list),
      breadcrumbs,
    },
    head: headOfPage(
      {
        title,
        description: `${title}: ${list.items
          .slice(0, DESCRIBED)
          .map(item => item.title)
          .join(' · ')}`,
        card: { title, label: words.text('blog'), author: null },
      },
      page,
      path,
      words,
    ),
    jsonLd: breadcrumbsJsonLd(breadcrumbs, path, origin),
  };
}

export const blogArchive: RouteContent<'blog-archive'> = {
  load: loadArchive,
  locations: async reader => ((await reader.years()).length > 0 ? [locationOf('blog-archive', {})] : []),
};

export const blogArchiveYear: RouteContent<'blog-archive-year'> = {
  load: context => loadPeriod(context, context.params.year),
  locations: async reader =>
    (await reader.years()).map(({ period }) => locationOf('blog-archive-year', { year: period })),
};

export const blogArchiveMonth: RouteContent<'blog-archive-month'> = {
  load: context => loadPeriod(context, context.params.year, context.params.month),
  locations: async reader =>
    (await monthsByYear(reader)).flatMap(({ months }) =>
      months.map(({ period }) => {
        const [year = '', month = ''] = period.split('-');
        return locationOf('blog-archive-month', { year, month });
      }),
    ),
};
