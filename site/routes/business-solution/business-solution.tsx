import { EntryArticle } from '../../parts/entry-article.tsx';
import type { EntryPageData } from '../../parts/entry-data.ts';

export default function BusinessSolutionPage({ data }: { data: EntryPageData }) {
  return <EntryArticle data={data} />;
}
