import type { routes } from './routes.ts';
import { contentTypes } from './types.ts';

/** The routes that the engine links to, by what they are to it. It names no other route of the site. */
export const siteRoutes = {
  home: 'home',
  page: 'page',
  search: 'search',
  blog: 'blog',
  category: 'blog-category',
  article: 'blog-article',
  author: 'blog-author',
  tag: 'blog-tag',
  confirmation: 'subscribe-confirm',
  leaving: 'subscribe-leave',
} as const satisfies Readonly<Record<string, (typeof routes)[number]['id']>>;

/** The types that the engine reads by functions of its own. It reads all others by their descriptions alone. */
export const siteTypes = {
  article: contentTypes.article,
  author: contentTypes.author,
  category: contentTypes.category,
  tag: contentTypes.tag,
  blog: contentTypes['main-page'],
  landing: contentTypes.landing,
  page: contentTypes.page,
  redirect: contentTypes.redirect,
  settings: contentTypes.settings,
  social: contentTypes.social,
} as const;
