import type { PageComponents } from '../../shared/app-routes.tsx';
import BlogArticlePage from '../../shared/pages/blog-article-page.tsx';
import BlogCategoryPage from '../../shared/pages/blog-category-page.tsx';
import BlogIndexPage from '../../shared/pages/blog-index-page.tsx';
import BusinessSolutionPage from '../../shared/pages/business-solution-page.tsx';
import CommercePage from '../../shared/pages/commerce-page.tsx';
import GenericPage from '../../shared/pages/generic-page.tsx';
import HomePage from '../../shared/pages/home-page.tsx';

/** The server has all pages at hand; the browser loads each when it is needed (`client/route-pages.ts`). */
export const pages: PageComponents = {
  home: HomePage,
  page: GenericPage,
  blog: BlogIndexPage,
  'blog-category': BlogCategoryPage,
  'blog-article': BlogArticlePage,
  'business-solution': BusinessSolutionPage,
  commerce: CommercePage,
};
