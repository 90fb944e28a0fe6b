import { siteTypes } from '../../../site/types.ts';
import { versionedTag } from '../../cache/tags/tags.ts';
import type { PeriodCount } from '../reading/read-values.ts';
import { articleListName } from './article-tags.ts';
import { tagNames, tagVersion } from './content-tags.ts';
import type { Provenance } from './provenance.ts';

const ARTICLES = siteTypes.article.path;

/* The tags of the archive, named as in `content-tags.ts`:
   - `articles@.years`: the years, with the number of articles in each
   - `articles@.years.2026`: the number of articles in a year
   - `articles@.period.2026.months`: the months with their numbers; below it a month (`.2026-11`) */

export function yearsName(isByPublication: boolean): string {
  return articleListName(isByPublication, '', 'years');
}

export function countName(isByPublication: boolean, period: string): string {
  const [year = ''] = period.split('-');
  return year === period
    ? `${yearsName(isByPublication)}.${year}`
    : `${monthsName(isByPublication, year)}.${period}`;
}

function monthsName(isByPublication: boolean, year: string): string {
  return articleListName(isByPublication, '', 'period', year, 'months');
}

/** @returns the tag of pages that show the number of articles in a period. */
export function countTag(isByPublication: boolean, { period, count }: PeriodCount): string {
  return versionedTag(countName(isByPublication, period), tagVersion(count));
}

/** @returns provenance that makes the years compared after each event, like unselected lists. */
export function yearsProvenance(list: readonly PeriodCount[], isByPublication: boolean): Provenance {
  return provenanceOf(yearsName(isByPublication), tagNames.lists(ARTICLES), list, isByPublication);
}

/** @returns provenance that makes the months stale if the year's number of articles changes. */
export function monthsProvenance(
  year: string,
  list: readonly PeriodCount[],
  isByPublication: boolean,
): Provenance {
  const group = tagNames.selection(ARTICLES, 'period', year);
  const own = provenanceOf(monthsName(isByPublication, year), group, list, isByPublication);
  const count = list.reduce((sum, month) => sum + month.count, 0);
  return { ...own, tags: [...own.tags, countTag(isByPublication, { period: year, count })] };
}

function provenanceOf(
  name: string,
  group: string,
  list: readonly PeriodCount[],
  isByPublication: boolean,
): Provenance {
  return {
    tags: [
      ...(isByPublication ? [tagNames.published(ARTICLES)] : []),
      group,
      versionedTag(name, tagVersion(list)),
      ...list.map(period => countTag(isByPublication, period)),
    ],
    about: null,
    decides: [name],
  };
}
