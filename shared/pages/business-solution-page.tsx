import { EntryArticle } from '../blocks/entry-article.tsx';
import type { EntryPageData } from '../payload/payload.ts';

/** A business solution. */
export default function BusinessSolutionPage({ data }: { data: EntryPageData }) {
  return <EntryArticle data={data} />;
}
