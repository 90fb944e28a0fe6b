import type { ContentReader } from '../../../server/content/reading/content-reader.ts';
import type { PeriodCount } from '../../../server/content/reading/read-values.ts';
import { breadcrumbsJsonLd } from '../../../server/loading/json-ld.ts';
import type { LoaderContext, LoaderResult } from '../../../server/loading/loader.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';
import type { Labels } from '../../../shared/labels/labels.ts';
import { HttpError } from '../../../shared/payload/http-error.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import {
  blogCrumb,
  cardsOf,
  headOfPage,
  requestedPage,
  requireArticles,
} from '../../parts/articles/article-lists.server.ts';
import type { ArchivePeriod } from './archive.ts';

type PeriodNames = ReturnType<typeof periodNames>;

/** Names years (`2026`) and months (`2026-11`). Addresses use the Gregorian calendar in every locale. */
export function periodNames(labels: Labels) {
  const name = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(labels.language.locale, {
      ...{ calendar: 'gregory', timeZone: 'UTC' },
      ...options,
    });
    return (period: string) => format.format(Date.parse(period));
  };
  return {
    year: name({ year: 'numeric' }),
    month: name({ month: 'long' }),
    monthOfYear: name({ month: 'long', year: 'numeric' }),
    count: (articles: number) => labels.count('articleCount', articles),
  };
}

export async function monthsByYear(
  reader: ContentReader,
): Promise<readonly { readonly year: PeriodCount; readonly months: readonly PeriodCount[] }[]> {
  const years = await reader.years();
  return Promise.all(years.map(async year => ({ year, months: await reader.monthsOf(year.period) })));
}

export function linkTo({ period, count }: PeriodCount, names: PeriodNames): ArchivePeriod {
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

/** The number of articles whose titles describe a period. */
const DESCRIBED = 3;

type PeriodRoute = 'blog-archive-year' | 'blog-archive-month';

/** Loads a page of a year's or month's articles. A period without articles is a 404. */
export async function loadPeriod(
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
