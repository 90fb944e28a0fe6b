import { versionedTag } from '../../cache/tags.ts';
import { articleListName, type Provenance, tagNames, tagVersion } from '../content-tags.ts';

/** A year (`2026`) or a month (`2026-11`), and the number of its published articles. */
export interface PeriodCount {
  readonly period: string;
  readonly count: number;
}

/*
 * The tags of the archive, with names as in `content-tags.ts`:
 *
 * `articles@.years`                    the years, and the number of articles in each
 * `articles@.years.2026`               the number of articles in one year
 * `articles@.period.2026.months`       the same of the months of a year; below it one month, such as `.2026-11`
 */

/** @returns the name of the tag of the years. */
export function yearsName(isByPublication: boolean): string {
  return articleListName(isByPublication, '', 'years');
}

/** @returns the name of the tag of the number of articles in a period. */
export function countName(isByPublication: boolean, period: string): string {
  const [year = ''] = period.split('-');
  return year === period
    ? `${yearsName(isByPublication)}.${year}`
    : `${monthsName(isByPublication, year)}.${period}`;
}

function monthsName(isByPublication: boolean, year: string): string {
  return articleListName(isByPublication, '', 'period', year, 'months');
}

/** @returns the tag of the number of articles in a period. Lists and counts that know the number carry it. */
export function countTag(isByPublication: boolean, { period, count }: PeriodCount): string {
  return versionedTag(countName(isByPublication, period), tagVersion(count));
}

/** The provenance of the years, which are compared after each event about an article, like the lists that nothing selects. */
export function yearsProvenance(list: readonly PeriodCount[], isByPublication: boolean): Provenance {
  return provenanceOf(yearsName(isByPublication), tagNames.lists('articles'), list, isByPublication);
}

/** The provenance of the months of a year. Where the year has another number of articles, they are outdated. */
export function monthsProvenance(
  year: string,
  list: readonly PeriodCount[],
  isByPublication: boolean,
): Provenance {
  const group = tagNames.selection('articles', 'period', year);
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
      ...(isByPublication ? [tagNames.published('articles')] : []),
      group,
      versionedTag(name, tagVersion(list)),
      ...list.map(period => countTag(isByPublication, period)),
    ],
    about: null,
    decides: [name],
  };
}
