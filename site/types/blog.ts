/** The routes whose pages show articles or categories. */
export const BLOG_PAGES = [
  'blog',
  'blog-category',
  'blog-article',
  'blog-author',
  'blog-tag',
  'blog-archive',
  'blog-archive-year',
  'blog-archive-month',
] as const;

/** The cost of a CMS without tags, for the log. */
export const NO_TAGS = 'articles show no tags, and there are no pages of tags';
