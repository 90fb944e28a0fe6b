import { RichText } from '../../../shared/ui/rich-text/rich-text.tsx';
import Contacts from '../../blocks/contacts/contacts.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import { QuestionsBlock } from '../../parts/questions-block.tsx';
import { loadParts, Sections } from '../../parts/sections.tsx';
import { EntryList } from './entry-list.tsx';
import styles from './page.module.css';
import type { GenericPageData } from './page.route.ts';

export { loadParts };

export default function GenericPage({ data }: { data: GenericPageData }) {
  const { page, contacts, entries, breadcrumbs } = data;
  return (
    <>
      <div className="el-frame">
        <PageIntro title={page.h1 ?? page.title} text={page.description} breadcrumbs={breadcrumbs} />
        {page.body.length > 0 ? <RichText content={page.body} /> : null}
        {entries ? <EntryList entries={entries} /> : null}
      </div>
      <Sections of={data} />
      {contacts ? (
        <div className={styles.contacts}>
          <Contacts data={contacts} isLast={false} />
        </div>
      ) : null}
      <div className="el-frame">
        <QuestionsBlock questions={page.questions} />
      </div>
    </>
  );
}
