import { article } from './types/article/article.type.ts';
import { author } from './types/author/author.type.ts';
import { businessSolution } from './types/business-solution/business-solution.type.ts';
import { category } from './types/category/category.type.ts';
import { commerce } from './types/commerce/commerce.type.ts';
import { country } from './types/country/country.type.ts';
import { landing } from './types/landing/landing.type.ts';
import { mainPage } from './types/main-page/main-page.type.ts';
import { page } from './types/page/page.type.ts';
import { redirect } from './types/redirect/redirect.type.ts';
import { settings } from './types/settings/settings.type.ts';
import { social } from './types/social/social.type.ts';
import { tag } from './types/tag/tag.type.ts';

/** All content types, by the names of Strapi's models. */
export const contentTypes = {
  article,
  author,
  'business-solution': businessSolution,
  category,
  commerce,
  page,
  redirect,
  social,
  tag,
  country,
  landing,
  'main-page': mainPage,
  settings,
} as const;

/** Content types with special functions outside `site/`. Their descriptions are enough for all others. */
export const siteTypes = {
  article,
  author,
  blog: mainPage,
  category,
  landing,
  page,
  redirect,
  settings,
  social,
  tag,
} as const;
