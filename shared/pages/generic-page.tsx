import { ContactsBlock } from '../blocks/contacts-block.tsx';
import { EntryList } from '../blocks/entry-list.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import { QuestionsBlock } from '../blocks/questions-block.tsx';
import type { GenericPageData } from '../payload/payload.ts';
import { RichText } from '../ui/rich-text.tsx';
import styles from './generic-page.module.css';

/** A page of text, with a list of entries and the contacts section where the content has them. */
export default function GenericPage({ data }: { data: GenericPageData }) {
  const { page, contacts, entries, breadcrumbs } = data;
  return (
    <>
      <div className="el-frame">
        <PageIntro title={page.h1 ?? page.title} text={page.description} breadcrumbs={breadcrumbs} />
        {page.body.length > 0 ? <RichText content={page.body} /> : null}
        {entries ? <EntryList entries={entries} /> : null}
      </div>
      {contacts ? (
        <div className={styles.contacts}>
          <ContactsBlock contacts={contacts} />
        </div>
      ) : null}
      <div className="el-frame">
        <QuestionsBlock questions={page.questions} />
      </div>
    </>
  );
}
