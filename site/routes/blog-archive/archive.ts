import type { ListPage, ShownArticle } from '../../../shared/content/blog.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';

export interface ArchivePeriod {
  readonly title: string;
  readonly href: string;
  readonly count: string;
}

export interface BlogArchivePeriodData {
  h1: string;
  /** The address of the first page. */
  path: string;
  months: readonly ArchivePeriod[];
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}

export const YEAR = /^[12]\d{3}$/;
export const MONTH = /^(?:0[1-9]|1[0-2])$/;
