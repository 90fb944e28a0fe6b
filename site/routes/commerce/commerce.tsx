import { EntryArticle } from '../../parts/entry-article.tsx';
import type { EntryPageData } from '../../parts/entry-data.ts';

export { loadParts } from '../../parts/sections.tsx';

export default function CommercePage({ data }: { data: EntryPageData }) {
  return <EntryArticle data={data} />;
}
