import { EntryArticle } from '../blocks/entry-article.tsx';
import type { EntryPageData } from '../payload/payload.ts';

/** A commerce page. */
export default function CommercePage({ data }: { data: EntryPageData }) {
  return <EntryArticle data={data} />;
}
