import type { TypeDescription } from '../../../shared/content/descriptions.ts';
import { heading, questions, seo } from '../fields.ts';

export const mainPage = {
  path: 'main-page',
  storage: 'single',
  file: 'main-page.json',
  label: 'Blog start page',
  noun: 'the blog page',
  route: 'blog',
  form: [['title'], ['description'], ['questions']],
  fields: { ...heading, questions, seo },
} as const satisfies TypeDescription;
