import type { Labels } from '../../shared/labels/labels.ts';

/** The names of years (`2026`) and months (`2026-11`) in the language of the site. */
export interface PeriodNames {
  year(period: string): string;
  /** Without its year: `November`. */
  month(period: string): string;
  /** `November 2026`. */
  monthOfYear(period: string): string;
  /** @returns a number of articles in words. */
  count(articles: number): string;
}

/** @returns the names. Addresses have months of the Gregorian calendar, so the names are of that calendar in every locale. */
export function periodNames(labels: Labels): PeriodNames {
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
    count: articles => labels.count('articleCount', articles),
  };
}
