import { EntryList } from '../../parts/entry-list.tsx';
import { OfferBand, OfferButton } from '../../parts/offer.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import { QuestionsBlock } from '../../parts/questions-block.tsx';
import { loadParts, Sections } from '../../parts/sections.tsx';
import { TextFrame } from '../../parts/text-frame.tsx';
import type { GenericPageData } from './page.route.ts';

export { loadParts };

export default function GenericPage({ data }: { data: GenericPageData }) {
  const { page, headings, contacts, entries, breadcrumbs } = data;
  return (
    <TextFrame
      intro={
        <PageIntro title={page.h1 ?? page.title} text={page.description} breadcrumbs={breadcrumbs}>
          {entries ? <OfferButton own={page.cta} /> : null}
        </PageIntro>
      }
      headings={headings}
      body={page.body}
      // Show the form first, because a page with the form is about contact.
      lead={<Sections of={contacts} />}
    >
      {entries ? <EntryList entries={entries} /> : null}
      <Sections of={data} />
      <QuestionsBlock questions={page.questions} />
      {contacts.sections || page.withoutOffer ? null : <OfferBand own={page.cta} />}
    </TextFrame>
  );
}
