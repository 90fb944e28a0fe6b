import { isBelow } from '../cache/tags.ts';
import { ArticleReader } from './article-reader.ts';
import { countName, type PeriodCount, yearsName } from './lists/period-tags.ts';

/** Reads the years and months of articles for one page. */
export abstract class PeriodReader extends ArticleReader {
  /** The years with articles, the newest first. */
  async years(): Promise<readonly PeriodCount[]> {
    const order = await this.articleOrder();
    const above = yearsName(order.by === 'publishedAt');
    const isUsed = (name: string) => !isBelow(name, above);
    return (await this.read(this.source.api.articleYears(order), 'made-of', isUsed)).list;
  }

  /** The months of a year with articles, the newest first. A year without articles has none, and costs no call of its own. */
  async monthsOf(year: string): Promise<readonly PeriodCount[]> {
    const { api } = this.source;
    const order = await this.articleOrder();
    const isByPublication = order.by === 'publishedAt';
    const above = yearsName(isByPublication);
    const years = await this.load(api.articleYears(order), 'made-of');
    const isKnown = years.value.list.some(({ period }) => period === year);
    // The page of a year does not depend on other years. An address without a page depends on all: its year may come.
    const used = isKnown ? countName(isByPublication, year) : above;
    this.use(years, name => name === used || !(name === above || isBelow(name, above)));
    return isKnown ? (await this.read(api.articleMonths(year, order), 'made-of')).list : [];
  }
}
